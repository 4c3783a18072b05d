/** What was answered, and where its numbers come from. */

import { useLayoutEffect, useRef } from "preact/hooks";
import { Name } from "../blocks/Name.tsx";
import { Folded } from "../blocks/Sections.tsx";
import type { Num } from "../types.ts";
import { drawn } from "./answer.ts";

const NONE: Num[] = [];

export function Answer({ text, numbers = NONE, streaming = false }: { text: string; numbers?: Num[]; streaming?: boolean }) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => ref.current?.replaceChildren(drawn(text, numbers)), [text, numbers]);
  return <div class={streaming ? "answer streaming" : "answer"} ref={ref} />;
}

/** Each number of an answer with its source: what the links in the text say, as a list. */
export function Sources({ numbers }: { numbers: Num[] }) {
  if (!numbers.length) return null;
  const deep = numbers.some(one => one.rests_on?.length);
  const without = numbers.filter(one => one.source === null).length;
  const title = `Where the numbers come from (${numbers.length}${without ? `, ${without} without a source` : ""})`;
  return (
    <Folded title={title}>
      {() => (
        <div class="box" tabIndex={0} role="group" aria-label={title}>
          <table>
            <thead><tr><th>Number</th><th>How</th><th>Source</th>{deep ? <th>Rests on</th> : null}</tr></thead>
            <tbody>
              {numbers.map(one => (
                <tr>
                  <td>{one.text}{one.unit && !one.text.includes(one.unit) ? ` ${one.unit}` : ""}</td>
                  <td>{one.how || "–"}</td>
                  <td>{one.source === null ? <mark class="unsourced">no source</mark> : <Name text={one.source} />}</td>
                  {deep ? <td>{one.rests_on?.length ? one.rests_on.map((name, n) => <>{n ? ", " : ""}<Name text={name} /></>) : "–"}</td> : null}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Folded>
  );
}
