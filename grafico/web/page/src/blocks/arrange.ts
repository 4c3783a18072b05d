/** The order in which the blocks of an object stand on the page, as in a report. */

import type { Block, Chart, Fact, Note, Section, Structure, Table } from "../types.ts";
import { asIri } from "../iri.ts";

export interface Head { structure: Structure | null; chart: Chart | null; facts: Fact[] }

export interface Cells {
  facts: Fact[]; remarks: Note[]; small: Note[]; shown: (Table | Chart | Structure)[];
  folded: { title: string; blocks: Block[] }[];
}

/** Part an object's sections into the head of its page and the rest. */
export function parted(sections: Section[]): { head: Head; rest: Section[] } {
  const [first, ...others] = sections;
  const own = first && !first.title ? first : null;
  const from = own ? own.blocks : sections.flatMap(one => one.blocks);
  const structure = from.find((one): one is Structure => one.kind === "structure" && !one.minor) ?? null;
  const chart = structure ? null : (from.find((one): one is Chart => one.kind === "chart" && !one.minor) ?? null);
  const facts = from.filter((one): one is Fact => one.kind === "fact" && (one.headline || Boolean(own && !one.minor)));
  const taken = new Set<Block>([...(structure ? [structure] : []), ...(chart ? [chart] : []), ...facts]);
  const rest = (own ? [own, ...others] : sections)
    .map(one => ({ ...one, blocks: one.blocks.filter(block => !taken.has(block)) }))
    .filter(one => one.blocks.length > 0);
  return { head: { structure, chart, facts }, rest };
}

/** Arrange a section: like blocks together, details folded away. */
export function arranged(section: Section): Cells {
  const cells: Cells = { facts: [], remarks: [], small: [], shown: [], folded: [] };
  const details: Fact[] = [];
  for (const block of section.blocks) {
    if (block.kind === "fact") (hidden(block) ? details : cells.facts).push(block);
    else if (block.kind === "note") (block.minor ? cells.small : cells.remarks).push(block);
    else if (block.minor) cells.folded.push({ title: titled(block), blocks: [block] });
    else cells.shown.push(block);
  }
  if (details.length) cells.folded.unshift({ title: "Details", blocks: details });
  return cells;
}

function titled(block: Table | Chart | Structure): string {
  return block.kind === "table" ? `${block.title} (${block.rows.length})` : block.title;
}

/** Names in the graph are details, too. */
function hidden(fact: Fact): boolean {
  return Boolean(fact.minor) || (typeof fact.value === "string" && asIri(fact.value) !== null);
}
