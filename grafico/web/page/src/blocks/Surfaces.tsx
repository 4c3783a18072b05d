/** Functions in space as surfaces around a molecule: chosen by fields, computed when asked for. */

import { useEffect, useState } from "preact/hooks";
import { blob } from "../api.ts";
import type { Field, Point, Value } from "../types.ts";
import { applies, FieldView, type Given } from "../views/FieldView.tsx";
import { Sent, useTry, Wrong } from "../views/Wrong.tsx";
import type { Stage } from "./viewer.ts";

const POINTS = 120_000;
const FINEST = 0.2;

/** Å between points, so that there are not too many, 3 Å beyond the atoms. */
function spacing(positions: Point[]): number {
  const edges = [0, 1, 2].map(axis => {
    const along = positions.map(one => one[axis] ?? 0);
    return Math.max(...along) - Math.min(...along) + 6;
  });
  return Math.max(FINEST, Math.ceil(100 * Math.cbrt(edges.reduce((a, b) => a * b) / POINTS)) / 100);
}

export function Surfaces({ stage, of, fields, positions }: { stage: Stage | null; of: string; fields: Field[]; positions: Point[] }) {
  const [given, give] = useState<Given>({});
  const [cube, keep] = useState("");
  const [level, set] = useState(0);
  const { trouble, busy, attempt } = useTry();
  useEffect(() => {
    if (stage) set(stage.surface(cube, level));
  }, [stage, cube, level]);
  const asked = fields.filter(one => one.kind !== "number" && applies(one, given, fields));
  const draw = () => attempt(async () => {
    const values = Object.fromEntries(asked.flatMap(({ name }) => (given[name] ? [[name, String(given[name])]] : [])));
    const made = await blob("structure", { iri: of, format: "cube", spacing: spacing(positions), ...values });
    keep(await made.text());
    set(0);
  });
  const change = (name: string, value: Value | string[]) => give(old => ({ ...old, [name]: value }));
  return (
    <details class="way surfaces">
      <summary>Surfaces</summary>
      <Sent send={() => void draw()}>
        <div class="grid">{asked.map(one => <FieldView field={one} value={given[one.name]} set={change} />)}</div>
        <Wrong text={trouble} />
        <p class="buttons">
          <button type="submit" class="main" disabled={busy}>{busy ? "Computing…" : "Draw"}</button>
          {cube ? <label>At ±{level.toPrecision(2)} a.u. <input type="range" min={0.002} max={0.2} step={0.002} value={level} onChange={event => set(Number(event.currentTarget.value))} /></label> : null}
          {cube ? <button type="button" onClick={() => (keep(""), set(0))}>Clear</button> : null}
        </p>
      </Sent>
    </details>
  );
}
