/** Where the boxes of a picture of what rests on what stand: in layers, the object first. */

export interface Node { iri: string; title: string; text: string; kind: string }

/** What was used, what was made from it, and how. */
export type Link = [used: string, made: string, how: string];

export interface Placed extends Node { layer: number; row: number }

/** A node stands below everything that was made from it; cycles are cut. */
export function placed(nodes: Node[], links: Link[]): Placed[] {
  const layer = new Map(nodes.map(one => [one.iri, 0]));
  for (let round = 0, moved = true; moved && round < nodes.length; round++) {
    moved = false;
    for (const [to, from] of links) {
      const wanted = (layer.get(from) ?? 0) + 1;
      if (from !== to && layer.has(to) && (layer.get(to) ?? 0) < wanted && wanted < nodes.length) {
        layer.set(to, wanted);
        moved = true;
      }
    }
  }
  const rows: Node[][] = [];
  for (const one of nodes) (rows[layer.get(one.iri) ?? 0] ??= []).push(one);
  const row = new Map<string, number>();
  const filled = rows.filter(Boolean);
  filled.forEach((level, depth) => {
    const pull = (one: Node) => {
      const above = links.filter(([used]) => used === one.iri).map(([, made]) => row.get(made)).filter(at => at !== undefined);
      return above.length ? above.reduce((sum, at) => sum + at, 0) / above.length : 0;
    };
    if (depth) level.sort((a, b) => pull(a) - pull(b));
    level.forEach((one, at) => row.set(one.iri, at - (level.length - 1) / 2));
  });
  return filled.flatMap((level, depth) => level.map(one => ({ ...one, layer: depth, row: row.get(one.iri) ?? 0 })));
}
