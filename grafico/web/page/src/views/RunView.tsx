/** A run or another object within a conversation: its head at once, everything else on demand. */

import { useState } from "preact/hooks";
import { post } from "../api.ts";
import { Folded, Shown } from "../blocks/Sections.tsx";
import { useSeen } from "../blocks/Seen.tsx";
import { kindOf, toObject } from "../iri.ts";
import { path, thing, useFetched } from "../state/fetched.ts";
import { Course } from "./Course.tsx";
import type { Thing } from "../types.ts";
import { Found, useTry, Wrong } from "./Wrong.tsx";

interface Props { iri: string; of: string; open: boolean; alone: boolean; number: number }

/** What has ended early, or was cut off, can be gone on with. */
export function canGoOn({ run, tone, talk, status }: Thing): boolean {
  return Boolean(run) && tone !== "finished" && !talk && status !== "withdrawn";
}

export function RunView({ iri, of, open, alone, number }: Props) {
  const { trouble, busy, attempt } = useTry();
  const { ref, seen } = useSeen<HTMLDetailsElement>();
  const [wanted, want] = useState(open);
  const found = useFetched(iri, () => thing(iri), wanted && seen);
  const title = found.value?.title ?? `${kindOf(iri)}${alone ? "" : ` ${number}`}`;
  return (
    <details class="run" ref={ref} open={open} onToggle={event => event.currentTarget.open && want(true)}>
      <summary>
        <span>{title}</span>{found.value?.subtitle ? <span class="unit"> {found.value.subtitle}</span> : null} {found.value?.status ? <span class={`status ${found.value.tone ?? "open"}`}>{found.value.status}</span> : null}
      </summary>
      {wanted && seen ? (
        <Found of={found}>
          {one => (
            <>
              <Shown thing={one} folded />
              <Way run={iri} count={one.steps} />
              {canGoOn(one) ? <p class="buttons"><button type="button" disabled={busy} onClick={() => void attempt(() => post("resume", { key: of, run: iri }))}>Go on with it</button></p> : null}
              <Wrong text={trouble} />
              <p class="note"><a href={toObject(iri)}>Open it alone</a></p>
            </>
          )}
        </Found>
      ) : null}
    </details>
  );
}

/** The geometries that are kept, where there are any. */
export function Way({ run, count }: { run: string; count?: number }) {
  return count ? <Folded title={`Its geometries, one by one (${count})`} level="all">{() => <Path run={run} />}</Folded> : null;
}

function Path({ run }: { run: string }) {
  const found = useFetched(`path ${run}`, () => path(run));
  return <Found of={found}>{({ stages }) => stages.map(way => <Course way={way} />)}</Found>;
}
