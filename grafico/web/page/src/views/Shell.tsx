/** The whole page: places at the side, and one of them in the middle. */

import { useState } from "preact/hooks";
import { useCell } from "../state/cell.ts";
import { connection } from "../state/conversations.ts";
import { route } from "../state/route.ts";
import { ComputingView } from "./ComputingView.tsx";
import { ConversationView, NewConversation } from "./ConversationView.tsx";
import { FormView } from "./FormView.tsx";
import { ObjectView } from "./ObjectView.tsx";
import { RunsView } from "./RunsView.tsx";
import { Sidebar } from "./Sidebar.tsx";
import { TokenView } from "./TokenView.tsx";

export function Shell() {
  const where = useCell(route);
  const linked = useCell(connection);
  const [menu, open] = useState(false);
  if (linked === "refused") return <TokenView refused />;
  return (
    <div class={menu ? "shell menu" : "shell"} onKeyDown={event => event.key === "Escape" && open(false)}>
      <a class="skip" href="#main" onClick={event => {
        event.preventDefault();
        document.getElementById("main")?.focus();
      }}>To the content</a>
      <header class="bar">
        <button type="button" aria-expanded={menu} onClick={() => open(!menu)}>Menu</button>
        <a href="#/" class="house">Grafico</a>
      </header>
      <Sidebar route={where} left={() => open(false)} />
      <main id="main" tabIndex={-1}>
        {linked === "lost" ? <p class="lost" role="status">Connection lost, trying again…</p> : null}
        {where.at === "new" ? <NewConversation /> : null}
        {where.at === "conversation" ? <ConversationView key={where.key} of={where.key} /> : null}
        {where.at === "form" ? <FormView /> : null}
        {where.at === "runs" ? <RunsView /> : null}
        {where.at === "computing" ? <ComputingView /> : null}
        {where.at === "object" ? <ObjectView key={where.iri} iri={where.iri} /> : null}
      </main>
    </div>
  );
}
