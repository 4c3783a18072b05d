/** What one may begin with. */

import { useCell } from "../state/cell.ts";
import { server } from "../state/conversations.ts";
import { useTry, Wrong } from "./Wrong.tsx";

export function Examples({ ask }: { ask: (text: string) => Promise<void> }) {
  const state = useCell(server);
  const { trouble, busy, attempt } = useTry();
  return (
    <div class="empty">
      <h1>What shall be computed?</h1>
      <p class="note">Write it in plain words, drop a file with a structure, or begin with one of these.</p>
      <ul>
        {state?.examples?.map(one => <li><button type="button" onClick={() => void attempt(() => ask(one))} disabled={busy}>{one}</button></li>)}
      </ul>
      <Wrong text={trouble} />
      <p class="note">Every number shows where it comes from, and nothing is computed twice.</p>
    </div>
  );
}
