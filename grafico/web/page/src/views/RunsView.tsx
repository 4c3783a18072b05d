/** All runs, the latest first, and what they are looked for by. */

import { useEffect, useState } from "preact/hooks";
import { get } from "../api.ts";
import { real } from "../blocks/numbers.ts";
import { toObject } from "../iri.ts";
import { useFetched } from "../state/fetched.ts";
import type { RunRow } from "../types.ts";
import { Grid } from "./Grid.tsx";
import { moment } from "./Since.tsx";
import { useTitle, Wrong } from "./Wrong.tsx";

const STEP = 50;
const STATUSES = ["finished", "goal unmet", "interrupted", "failed", "not finished"];
const FIELDS: [string, string, string][] = [
  ["about", "Of what", ""],
  ["formula", "Formula", "C4H10"],
  ["method", "Method", "B3LYP"],
  ["basis", "Basis set", "def2-SVP"],
  ["workflow", "Workflow", ""],
  ["tag", "Tag", ""],
];

type Wanted = Record<string, string>;

export function RunsView() {
  const [typed, type] = useState<Wanted>({});
  const [wanted, want] = useState<Wanted>({});
  const [limit, reach] = useState(STEP);
  useTitle("Runs");
  useEffect(() => {
    const wait = setTimeout(() => want(typed), 300);
    return () => clearTimeout(wait);
  }, [typed]);
  const key = JSON.stringify([wanted, limit]);
  const found = useFetched(key, signal => get<{ rows: RunRow[]; more: boolean }>("runs", { ...wanted, limit }, signal));
  const [kept, keep] = useState(found.value);
  useEffect(() => {
    if (found.value) keep(found.value);
  }, [found.value]);
  const set = (name: string, value: string) => type(old => ({ ...old, [name]: value.trim() }));
  return (
    <div class="place">
      <h1>Runs</h1>
      <form class="filters" onSubmit={event => event.preventDefault()}>
        {FIELDS.map(([name, label, example]) => (
          <label>{label} <input placeholder={example} onInput={event => set(name, event.currentTarget.value)} /></label>
        ))}
        <label>Since <input type="date" onInput={event => set("since", event.currentTarget.value)} /></label>
        <label>Status <select onChange={event => set("status", event.currentTarget.value)}><option value="">any</option>{STATUSES.map(one => <option>{one}</option>)}</select></label>
      </form>
      <Wrong text={found.trouble} again={found.again} />
      {kept ? <Table rows={kept.rows} /> : found.trouble ? null : <div class="waiting" role="status" aria-label="Loading" />}
      {kept?.more ? <button type="button" onClick={() => reach(limit + STEP)}>Earlier ones</button> : null}
    </div>
  );
}

function Table({ rows }: { rows: RunRow[] }) {
  if (!rows.length) return <p class="note" role="status">No run fits. Leave out a filter, or ask for a calculation.</p>;
  const cells = (one: RunRow) => [
    <time dateTime={one.started}>{moment(one.started)}</time>,
    <a href={toObject(one.run)}>{one.subject || "run"}</a>,
    one.goal,
    one.level,
    real(one.energy, 6),
    <span title={one.message}>{one.status}{one.withdrawn ? ", withdrawn" : ""}</span>,
  ];
  const heads = ["Started", "Of what", "Asked for", "Level", "Energy / Eh", "Status"];
  return <Grid label="Runs" heads={heads} numeric="Energy / Eh" rows={rows.map(one => ({ key: one.run, class: one.withdrawn ? "withdrawn" : "", cells: cells(one) }))} />;
}
