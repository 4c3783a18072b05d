/** Conversations to go back to, and the other places of the page. */

import { useState } from "preact/hooks";
import { toConversation } from "../iri.ts";
import { useCell } from "../state/cell.ts";
import { listed, server } from "../state/conversations.ts";
import type { Route } from "../state/route.ts";
import { choose, theme, type Theme } from "../state/theme.ts";
import { moment } from "./Since.tsx";

export function Sidebar({ route, left }: { route: Route; left: () => void }) {
  const all = useCell(listed);
  const [find, look] = useState("");
  const words = find.toLowerCase().split(/\s+/);
  const rows = all.filter(one => words.every(word => one.name.toLowerCase().includes(word)));
  const ready = useCell(server)?.ready;
  const current = (at: Route["at"]) => (route.at === at ? "page" : undefined);
  return (
    <nav class="side" aria-label="Places" onClick={event => (event.target as Element).closest("a") && left()}>
      <a class="button main" href="#/" aria-current={current("new")}>New conversation</a>
      <ul class="places">
        <li><a href="#/form" aria-current={current("form")}>Fill in a form</a></li>
        <li><a href="#/runs" aria-current={current("runs")}>Runs</a></li>
        <li><a href="#/computing" aria-current={current("computing")}>What computes now</a></li>
      </ul>
      <label class="find"><span>Conversations</span><input type="search" placeholder="Search" value={find} onInput={event => look(event.currentTarget.value)} /></label>
      {rows.length || !ready ? null : <p class="note">{find ? "None of that name." : "None yet."}</p>}
      <ul class="conversations">
        {rows.map(one => (
          <li key={one.key}>
            <a href={toConversation(one.key)} aria-current={route.at === "conversation" && route.key === one.key ? "page" : undefined}>
              <span class="title">{one.name || "Unnamed"}</span>
              <span class="note">{one.busy ? <span class="busy-mark">working</span> : moment(one.last)}</span>
            </a>
          </li>
        ))}
      </ul>
      <Foot />
    </nav>
  );
}

function Foot() {
  const state = useCell(server);
  const chosen = useCell(theme);
  return (
    <footer>
      <label>Colours{" "}
        <select value={chosen} onChange={event => choose(event.currentTarget.value as Theme)}>
          <option value="">as the system</option>
          <option value="light">light</option>
          <option value="dark">dark</option>
        </select>
      </label>
      {state ? <p class="note">Grafico {state.release}<br />{state.store ?? ""}</p> : null}
      <a class="note" href="/LICENSES.txt" target="_blank" rel="noopener">Licences</a>
    </footer>
  );
}
