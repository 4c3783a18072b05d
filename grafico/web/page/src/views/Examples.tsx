/** What one may begin with. */

import { useState } from "preact/hooks";
import { said } from "../api.ts";
import { Wrong } from "./Wrong.tsx";

const REQUESTS = [
  "Optimise water with GFN2-xTB",
  "Dipole moment of ammonia",
  "Conformers of butane with GFN2-xTB",
  "What is the reaction energy of CO + H2O -> CO2 + H2 with GFN2-xTB?",
  "List my last runs",
];

export function Examples({ ask }: { ask: (text: string) => Promise<void> }) {
  const [asked, set] = useState("");
  const [trouble, wrong] = useState("");
  const start = (text: string) => {
    set(text);
    wrong("");
    ask(text).catch(error => {
      set("");
      wrong(said(error));
    });
  };
  return (
    <div class="empty">
      <h1>What shall be computed?</h1>
      <p class="note">Write it in plain words, drop a file with a structure, or begin with one of these.</p>
      <ul>
        {REQUESTS.map(one => (
          <li><button type="button" onClick={() => start(one)} disabled={asked !== ""} aria-busy={asked === one}>{one}</button></li>
        ))}
      </ul>
      <Wrong text={trouble} />
      <p class="note">Every number shows where it comes from, and nothing is computed twice.</p>
    </div>
  );
}
