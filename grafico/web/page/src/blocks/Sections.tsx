/** An object's blocks: a head with the picture and the key facts, then section by section. */

import { useState } from "preact/hooks";
import type { Block, Section, Structure, Thing } from "../types.ts";
import { arranged, parted, type Head } from "./arrange.ts";
import { Facts, Tiles } from "./Facts.tsx";
import { Molecule, type Moved } from "./Molecule.tsx";
import { sentence } from "./numbers.ts";
import { Picture } from "./Picture.tsx";
import { Rows } from "./Rows.tsx";

/** A part that is drawn when it is opened for the first time. */
export function Folded({ title, open = false, level, children }: { title: string; open?: boolean; level?: string; children: () => preact.ComponentChildren }) {
  const [drawn, draw] = useState(open);
  return (
    <details open={open} class={level} onToggle={event => event.currentTarget.open && draw(true)}>
      <summary>{title}</summary>
      {drawn ? children() : null}
    </details>
  );
}

/** The structure of a section whose motions a table of it numbers, and which of them is shown. */
interface Moving extends Moved { structure: Structure }

function Drawn({ block, iri, moving }: { block: Block; iri: string; moving?: Moving }) {
  const motions = moving?.structure.motions ?? [];
  switch (block.kind) {
    case "table": {
      const pick = moving && block.name === moving.structure.table;
      return <Rows table={block} pick={pick ? { number: motions[moving.at]?.number ?? 0, take: number => moving.move(motions.findIndex(one => one.number === number)) } : undefined} />;
    }
    case "chart":
      return <Picture iri={iri} block={block} />;
    case "structure":
      return <Molecule shown={block} moved={block === moving?.structure ? moving : undefined} />;
    case "note":
      return <p class="note">{sentence(block.text)}</p>;
    case "fact":
      return <Facts facts={[block]} />;
  }
}

/** A section of an object alone has a heading of the second level, one within a card of the fourth. */
function Part({ section, iri, deep }: { section: Section; iri: string; deep: boolean }) {
  const [Title, Sub] = deep ? (["h4", "h5"] as const) : (["h2", "h3"] as const);
  const cells = arranged(section);
  const [at, move] = useState(-1);
  const structure = section.blocks.find((one): one is Structure => one.kind === "structure" && Boolean(one.table));
  const moving = structure && { structure, at, move };
  const alone = section.blocks.length === 1;
  const onlyFolded = !cells.facts.length && !cells.remarks.length && !cells.shown.length;
  const folded = (
    <>
      {cells.folded.map(({ title, blocks }) => (
        <Folded title={title}>
          {() => (blocks.every(one => one.kind === "fact") ? <Facts facts={blocks} /> : blocks.map(one => <Drawn block={one} iri={iri} moving={moving} />))}
        </Folded>
      ))}
      {cells.small.map(one => <p class="note">{sentence(one.text)}</p>)}
    </>
  );
  if (onlyFolded && section.title) return <section><Folded title={section.title}>{() => folded}</Folded></section>;
  return (
    <section>
      {section.title ? <Title class="section">{section.title}</Title> : null}
      {cells.remarks.length ? (
        <div class="remarks" role="note">
          <strong>Notes on these numbers</strong>
          <ul>{cells.remarks.map(one => <li>{sentence(one.text)}</li>)}</ul>
        </div>
      ) : null}
      {cells.facts.length ? <Facts facts={cells.facts} /> : null}
      <div class={cells.shown.length > 1 ? "pair" : ""}>
        {cells.shown.map(one => (
          <div class={one.kind === "table" && (one.many || one.columns.map(head => head.label + head.unit).join().length > 42) ? "wide" : ""}>
            {one.kind !== "chart" && one.title && !alone && one.title !== section.title ? <Sub class="sub">{one.title}</Sub> : null}
            <Drawn block={one} iri={iri} moving={moving} />
          </div>
        ))}
      </div>
      {folded}
    </section>
  );
}

function Top({ head, thing: { iri, surfaces } }: { head: Head; thing: Thing }) {
  const picture = head.structure ? <Molecule shown={head.structure} of={iri} surfaces={surfaces} /> : head.chart ? <Picture iri={iri} block={head.chart} /> : null;
  if (!picture) return head.facts.length ? <Tiles facts={head.facts} /> : null;
  return <div class="halves"><div>{picture}</div><Tiles facts={head.facts} /></div>;
}

/** All of an object; in a conversation what is not its head is folded. */
export function Shown({ thing, folded = false }: { thing: Thing; folded?: boolean }) {
  const { head, rest } = parted(thing.sections);
  const sections = () => rest.map(one => <Part section={one} iri={thing.iri} deep={folded} />);
  return (
    <>
      {thing.banner ? <div class={`banner ${thing.tone ?? "open"}`} role="note"><strong>{thing.banner[0]}</strong> {thing.banner[1]}</div> : null}
      <Top head={head} thing={thing} />
      {folded && rest.length ? <Folded title="Everything about it" level="all">{sections}</Folded> : sections()}
    </>
  );
}
