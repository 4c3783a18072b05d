/** What computes at this moment, and where. */

import { useEffect } from "preact/hooks";
import { get } from "../api.ts";
import { Name } from "../blocks/Name.tsx";
import { useFetched } from "../state/fetched.ts";
import { Since } from "./Since.tsx";
import { useTitle, Wrong } from "./Wrong.tsx";

interface Row { what: string; run: string | null; since: string; device: string; state: string }

const EVERY = 3000;

export function ComputingView() {
  const found = useFetched("computing", signal => get<{ rows: Row[] }>("computing", {}, signal));
  useTitle("What computes now");
  useEffect(() => {
    const tick = setInterval(() => document.visibilityState === "visible" && found.again(), EVERY);
    return () => clearInterval(tick);
  }, []);
  const rows = found.value?.rows;
  return (
    <div class="place">
      <h1>What computes now</h1>
      <Wrong text={found.trouble} again={found.again} />
      {rows?.length ? (
        <div class="box whole" tabIndex={0} role="group" aria-label="What computes now">
          <table class="cards">
            <thead><tr><th>What</th><th>Run</th><th>State</th><th>Where</th><th>For</th></tr></thead>
            <tbody>
              {rows.map(one => (
                <tr>
                  <td data-of="What">{one.what}</td>
                  <td data-of="Run">{one.run ? <Name text={one.run} /> : "–"}</td>
                  <td data-of="State">{one.state}</td>
                  <td data-of="Where">{one.device || "–"}</td>
                  <td data-of="For"><Since time={one.since} /></td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : rows ? <p class="note" role="status">Nothing at the moment.</p> : null}
    </div>
  );
}
