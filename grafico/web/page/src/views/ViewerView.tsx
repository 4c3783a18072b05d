/** The viewer of a conversation: it shows what the agent wants to be seen, which may ask for a picture. */

import { useMemo } from "preact/hooks";
import { post } from "../api.ts";
import { Molecule } from "../blocks/Molecule.tsx";
import { toObject } from "../iri.ts";
import { thing, useFetched } from "../state/fetched.ts";
import type { Conversation } from "../state/live.ts";
import type { Structure, View } from "../types.ts";
import { Found } from "./Wrong.tsx";

/** Return what was to be shown, one after the other. */
export function viewed(data: Conversation | null): View[] {
  const live = (data?.live?.parts ?? []).flatMap(one => (one.type === "card" ? one.card : []));
  return [...(data?.turns ?? []).flatMap(one => one.cards), ...live].flatMap(one => one.view ?? []);
}

/** Several pages may answer: the first one counts. */
export function answer(of: string, id: string, picture: string): void {
  post("answer", { key: of, id, answer: picture }).catch(() => {});
}

export function ViewerView({ view, of, look, close }: { view: View; of: string; look: string; close: () => void }) {
  const found = useFetched(view.iri, () => thing(view.iri));
  const labels = useMemo(() => new Map(view.marks.map(one => [one.atom - 1, one.label || `${one.symbol}${one.atom}`])), [view]);
  return (
    <aside class="viewer" aria-label="Viewer">
      <p class="top"><a href={toObject(view.iri)}>{view.formula}</a><button type="button" class="link" onClick={close}>Close</button></p>
      <Found of={found}>
        {({ sections, iri }) => {
          const shown = sections.flatMap(one => one.blocks).find((one): one is Structure => one.kind === "structure");
          return shown ? <Molecule shown={{ ...shown, iri }} labels={labels} asker={look ? { id: look, take: picture => answer(of, look, picture) } : undefined} /> : <p class="note">It has no structure.</p>;
        }}
      </Found>
    </aside>
  );
}
