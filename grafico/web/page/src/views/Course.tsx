/** The way of a calculation, step by step: its energy, its structure, and a slider to go along it. */

import { useEffect, useMemo, useState } from "preact/hooks";
import { Curve } from "../blocks/Curve.tsx";
import { Molecule } from "../blocks/Molecule.tsx";
import { real, rough } from "../blocks/numbers.ts";
import type { Course as Way } from "../state/live.ts";

export function Course({ way, live = false }: { way: Way; live?: boolean }) {
  const { stage, symbols, frames } = way;
  const last = frames.length - 1;
  const [held, hold] = useState<number | null>(live ? null : 0); // null follows what is newest
  const [playing, play] = useState(false);
  const at = Math.min(held ?? last, last);
  useEffect(() => {
    if (!playing) return;
    const tick = setInterval(() => hold(old => ((old ?? last) >= last ? 0 : (old ?? 0) + 1)), Math.max(60, 3000 / (last + 1)));
    return () => clearInterval(tick);
  }, [playing, last]);
  const line = useMemo(() => {
    const y = frames.flatMap(one => one.energy ?? []);
    return y.length === frames.length ? { x: frames.map(one => one.step), y, xLabel: "step", yLabel: "energy / Eh" } : null;
  }, [frames]);
  const frame = frames[at];
  if (!frame) return null;
  const title = stage || "Course";
  const said = [`Step ${frame.step} of ${frames.at(-1)?.step}`, frame.text ?? "", frame.energy === null || frame.text ? "" : `${real(frame.energy, 6)} Eh`].filter(Boolean).join(": ");
  return (
    <div class="course" role="group" aria-label={title}>
      {stage ? <h4>{stage}</h4> : null}
      <div class="halves">
        {frame.positions && symbols.length ? <Molecule shown={{ title, symbols, positions: frame.positions }} live={live} /> : null}
        <div>
          {line ? <Curve line={line} at={at} onPick={hold} title={`Energy along ${title}, ${frames.length} steps`} /> : null}
          <p class="facts-line">
            {said}
            {frame.max_gradient != null ? <>, max gradient {rough(frame.max_gradient, 2)} <span class="unit">Eh/bohr</span></> : null}
          </p>
          <div class="scrub">
            <button type="button" onClick={() => play(!playing)} disabled={last < 1}>{playing ? "Pause" : "Play"}</button>
            <input
              type="range" min={0} max={Math.max(last, 0)} value={at} aria-label={`Step of ${title}`}
              aria-valuetext={said}
              onInput={event => {
                play(false);
                hold(Number(event.currentTarget.value));
              }}
            />
            {live ? <button type="button" onClick={() => hold(null)} disabled={held === null}>Latest</button> : null}
          </div>
        </div>
      </div>
    </div>
  );
}
