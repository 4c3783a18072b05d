/** What an object rests on, back to the input, as a picture whose boxes open. */

import { get } from "../api.ts";
import { toObject } from "../iri.ts";
import { useFetched } from "../state/fetched.ts";
import { placed, type Link, type Node, type Placed } from "./layers.ts";
import { Found } from "./Wrong.tsx";

const [WIDE, HIGH, GAP_X, GAP_Y, MARGIN] = [230, 60, 24, 62, 10];

export function RestsView({ iri }: { iri: string }) {
  const found = useFetched(`rests ${iri}`, signal => get<{ nodes: Node[]; links: Link[] }>("rests", { iri }, signal));
  return (
    <Found of={found}>
      {({ nodes, links }) => (nodes.length < 2 ? <p class="note">It rests on nothing else that is stored.</p> : <Picture nodes={nodes} links={links} />)}
    </Found>
  );
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
    <div class="box rests" tabIndex={0} role="group" aria-label="What it rests on">
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="group" aria-label={`${nodes.length} objects`}>
        {links.map(([used, made]) => {
          const [a, b] = [at.get(made), at.get(used)];
          if (!a || !b) return null;
          const [x1, y1, x2, y2] = [x(a) + WIDE / 2, y(a) + HIGH, x(b) + WIDE / 2, y(b)];
          const middle = (y1 + y2) / 2;
          return <path d={`M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`} />;
        })}
        {boxes.map(one => (
          <a href={toObject(one.iri)} aria-label={`${one.title}: ${one.text}`}>
            <title>{`${one.title}: ${one.text}`}</title>
            <rect x={x(one)} y={y(one)} width={WIDE} height={HIGH} rx={5} class={one.layer === 0 ? "first" : ""} />
            <text x={x(one) + 10} y={y(one) + 24} class="kind">{cut(one.title, 29)}</text>
            <text x={x(one) + 10} y={y(one) + 45}>{cut(one.text || one.kind, 29)}</text>
          </a>
        ))}
        {boxes.map(one => {
          const how = [...new Set(links.filter(([, made]) => made === one.iri).map(([, , label]) => label))].join(", ");
          return <text class="how" x={x(one) + WIDE / 2} y={y(one) + HIGH + 20} text-anchor="middle">{cut(how, 38)}</text>;
        })}
      </svg>
    </div>
  );
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
