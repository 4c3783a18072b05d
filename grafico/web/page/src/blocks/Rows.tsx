/** A table: sorted by its heads, searched where it is to be looked through, long ones in parts. */

import { useMemo, useState } from "preact/hooks";
import type { Column, Table, Value } from "../types.ts";
import { Said } from "./Facts.tsx";

const PART = 100;
const SEARCHED = 12;

function isNumeric(table: Table, place: number): boolean {
  const values = table.rows.map(row => row[place] ?? null);
  return values.some(one => typeof one === "number") && values.every(one => one === null || typeof one === "number");
}

function compared(a: Value | null, b: Value | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), undefined, { numeric: true });
}

function headed({ label, unit }: Column): string {
  return unit ? `${label} / ${unit}` : label;
}

/** What the numbers of the first column choose. */
export interface Pick { number: number; take: (number: number) => void }

export function Rows({ table, pick }: { table: Table; pick?: Pick }) {
  const [by, sortBy] = useState<{ place: number; down: boolean } | null>(null);
  const [wanted, want] = useState("");
  const [most, show] = useState(PART);
  const numeric = useMemo(() => table.columns.map((_, place) => isNumeric(table, place)), [table]);
  const rows = useMemo(() => {
    const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
    const places = table.rows.map((_, n) => n).filter(n => {
      const text = words.length ? (table.shown[n] ?? []).join(" ").toLowerCase() : "";
      return words.every(word => text.includes(word));
    });
    if (!by) return places;
    const [turn, value] = [by.down ? -1 : 1, (n: number) => table.rows[n]?.[by.place] ?? null];
    return places.sort((m, n) => {
      const [x, y] = [value(m), value(n)];
      return x === null || y === null ? compared(x, y) : turn * compared(x, y);
    });
  }, [table, by, wanted]);
  const sort = (place: number) => sortBy(old => (old?.place !== place ? { place, down: false } : old.down ? null : { place, down: true }));
  return (
    <div class="rows">
      {table.rows.length > SEARCHED && (table.many || table.rows.length > PART) ? (
        <p class="tools">
          <label>Rows with <input type="search" value={wanted} onInput={event => want(event.currentTarget.value)} /></label>
          <span class="note" role="status">{rows.length} of {table.rows.length}</span>
        </p>
      ) : null}
      <div class="box" tabIndex={0} role="group" aria-label={table.title || "Table"}>
        <table class={table.columns.length > 4 ? "cards" : ""}>
          <thead>
            <tr>
              {table.columns.map((column, place) => (
                column.label === "" ? <td /> : <th class={numeric[place] ? "n" : ""} aria-sort={by?.place === place ? (by.down ? "descending" : "ascending") : undefined}>
                  <button type="button" class="plain" onClick={() => sort(place)}>
                    {headed(column)}<span aria-hidden="true">{by?.place === place ? (by.down ? " ▼" : " ▲") : ""}</span>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, most).map(n => (
              <tr class={pick && table.rows[n]?.[0] === pick.number ? "picked" : ""}>
                {table.columns.map((column, place) => (
                  <td class={numeric[place] ? "n" : ""} data-of={headed(column)}>{pick && !place ? <button type="button" class="link" aria-label={`Show ${column.label} ${table.shown[n]?.[0]}`} onClick={() => pick.take(Number(table.rows[n]?.[0]))}>{table.shown[n]?.[0]}</button> : <Said value={table.rows[n]?.[place] ?? null} shown={table.shown[n]?.[place] ?? ""} />}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > most ? <button type="button" onClick={() => show(most + 5 * PART)}>Show more: {rows.length - most} rows left</button> : null}
      {table.left_out ? <p class="note">{table.left_out} rows more are stored.</p> : null}
      {table.note ? <p class="note">{table.note}</p> : null}
    </div>
  );
}
