/** A curve that grows while it is computed, or lines of a spectrum; a click takes the nearest. */

import { useEffect, useRef } from "preact/hooks";
import type uPlot from "uplot";
import { colour, colours } from "../state/theme.ts";
import { useCell } from "../state/cell.ts";

const HEIGHT = 170;

export interface Line { x: number[]; y: number[]; xLabel: string; yLabel: string; sticks?: boolean }

export function Curve({ line, at, onPick, title }: { line: Line; at: number; onPick: (place: number) => void; title: string }) {
  const ref = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const now = useRef({ line, at, onPick });
  now.current = { line, at, onPick };
  const shade = useCell(colours);
  useEffect(() => {
    let left = false;
    let watch: ResizeObserver | null = null;
    void import("uplot").then(({ default: Plot }) => {
      const place = ref.current;
      if (left || !place) return;
      const made = new Plot(options(now, place.clientWidth, Plot), [now.current.line.x, now.current.line.y], place);
      made.over.addEventListener("click", () => {
        if (typeof made.cursor.idx === "number") now.current.onPick(made.cursor.idx);
      });
      watch = new ResizeObserver(() => made.setSize({ width: place.clientWidth, height: HEIGHT }));
      watch.observe(place);
      plot.current = made;
    }).catch(() => {}); // the server has gone, which the page says
    return () => {
      left = true;
      watch?.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [shade]);
  useEffect(() => plot.current?.setData([line.x, line.y]), [line.x, line.y]);
  useEffect(() => plot.current?.redraw(false), [at]);
  return <div class="curve" ref={ref} role="img" aria-label={title} />;
}

function options(now: { current: { line: Line; at: number } }, width: number, Plot: typeof uPlot): uPlot.Options {
  const { sticks } = now.current.line;
  const [ink, soft, grid, accent, warn] = ["ink", "soft", "line", "accent", "warn"].map(colour) as [string, string, string, string, string];
  const axis = { stroke: soft, font: "12px system-ui", labelFont: "12px system-ui", labelSize: 20, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    scales: { x: { time: false, range: (_, low, high) => (sticks ? [Math.min(low, 0) - 50, high + 100] : [low, Math.max(high, low + 1)]) }, y: { range: (_, low, high) => (sticks ? [0, 1.1 * high || 1] : padded(low, high)) } },
    axes: [
      { ...axis, label: now.current.line.xLabel, size: 30, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] },
      { ...axis, label: now.current.line.yLabel, size: 78, values: (_, splits, __, ___, step) => splits.map(one => decimals(one, step)) },
    ],
    series: [{}, { stroke: accent, width: 2, points: { show: true, size: 5, fill: accent }, paths: sticks ? Plot.paths.bars?.({ size: [1, 2, 2] }) : undefined }],
    hooks: {
      draw: [
        made => {
          const { line, at } = now.current;
          const [x, y] = [line.x[at], line.y[at]];
          if (x === undefined || y === undefined) return;
          const pen = made.ctx;
          pen.save();
          pen.beginPath();
          pen.arc(made.valToPos(x, "x", true), made.valToPos(y, "y", true), 5 * devicePixelRatio, 0, 2 * Math.PI);
          pen.fillStyle = warn;
          pen.strokeStyle = ink;
          pen.fill();
          pen.stroke();
          pen.restore();
        },
      ],
    },
  };
}

/** With room above and below, so that noise does not fill it. */
function padded(low: number, high: number): [number, number] {
  const room = Math.max(0.08 * (high - low), 5e-5);
  return [low - room, high + room];
}

/** As many digits as tell one tick from the next. */
function decimals(value: number, step: number): string {
  return value.toFixed(Math.min(10, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)))).replace("-", "−");
}
