/** What an object rests on, back to the input, as a picture whose boxes open. */

import { get } from "../api.ts";
import { toObject } from "../iri.ts";
import { useFetched } from "../state/fetched.ts";
import { placed, type Link, type Node, type Placed } from "./layers.ts";
import { Wrong } from "./Wrong.tsx";

const [WIDE, HIGH, GAP_X, GAP_Y, MARGIN] = [210, 62, 26, 58, 10];

export function RestsView({ iri }: { iri: string }) {
  const found = useFetched(`rests ${iri}`, signal => get<{ nodes: Node[]; links: Link[] }>("rests", { iri }, signal));
  if (!found.value) return <Wrong text={found.trouble} again={found.again} />;
  if (found.value.nodes.length < 2) return <p class="note">It rests on nothing else that is stored.</p>;
  return <Picture nodes={found.value.nodes} links={found.value.links} />;
}

function Picture({ nodes, links }: { nodes: Node[]; links: Link[] }) {
  const boxes = placed(nodes, links);
  const least = Math.min(...boxes.map(one => one.row));
  const most = Math.max(...boxes.map(one => one.row));
  const x = (one: Placed) => MARGIN + (one.row - least) * (WIDE + GAP_X);
  const y = (one: Placed) => MARGIN + one.layer * (HIGH + GAP_Y);
  const width = 2 * MARGIN + (most - least) * (WIDE + GAP_X) + WIDE;
  const height = 2 * MARGIN + Math.max(...boxes.map(one => one.layer)) * (HIGH + GAP_Y) + HIGH;
  const at = new Map(boxes.map(one => [one.iri, one]));
  return (
    <div class="box rests" tabIndex={0} role="region" aria-label="What it rests on">
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="group" aria-label={`${nodes.length} objects`}>
        {links.map(([from, to, label]) => {
          const [a, b] = [at.get(from), at.get(to)];
          if (!a || !b) return null;
          const [x1, y1, x2, y2] = [x(a) + WIDE / 2, y(a) + HIGH, x(b) + WIDE / 2, y(b)];
          const middle = (y1 + y2) / 2;
          return (
            <g class="link">
              <path d={`M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`} />
              <text x={(x1 + x2) / 2} y={middle + 4} text-anchor="middle">{label}</text>
            </g>
          );
        })}
        {boxes.map(one => (
          <a href={toObject(one.iri)} aria-label={`${one.title}: ${one.text}`}>
            <title>{`${one.title}: ${one.text}`}</title>
            <rect x={x(one)} y={y(one)} width={WIDE} height={HIGH} rx={5} class={one.layer === 0 ? "first" : ""} />
            <text x={x(one) + 10} y={y(one) + 22} class="kind">{cut(one.title, 27)}</text>
            <text x={x(one) + 10} y={y(one) + 44}>{cut(one.text, 28)}</text>
          </a>
        ))}
      </svg>
    </div>
  );
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
