/** Facts: a value with its label and its unit, as tiles at a head or as rows of a list. */

import { asIri } from "../iri.ts";
import type { Fact, Plain, Value } from "../types.ts";
import { Name } from "./Name.tsx";
import { sentence } from "./numbers.ts";

/** One value as it is written; names of objects open them. */
export function Said({ value, shown }: { value: Value | null | (Value | null)[]; shown: string }) {
  if (typeof value === "string" && asIri(value)) return <Name text={value} />;
  return typeof value === "number" ? <data value={String(value)}>{shown}</data> : <>{shown || "–"}</>;
}

function Quantity({ fact }: { fact: Plain }) {
  return <><Said value={fact.value} shown={fact.shown} />{fact.unit ? <> <span class="unit">{fact.unit}</span></> : null}</>;
}

function Also({ fact, of }: { fact: Plain; of: Plain }) {
  const again = !fact.label && fact.name === of.name && typeof fact.value !== "string";
  return <>{again ? " = " : ", "}{fact.label ? `${fact.label} ` : ""}<Quantity fact={fact} /></>;
}

function Whole({ fact }: { fact: Plain }) {
  return (
    <>
      <Quantity fact={fact} />
      {fact.also?.map(one => <Also fact={one} of={fact} />)}
      {fact.at?.length ? <div class="note">at {fact.at.map((one, n) => <>{n ? ", " : ""}<Quantity fact={one} /></>)}</div> : null}
      {fact.note ? <div class="note">{sentence(fact.note)}</div> : null}
    </>
  );
}

const LONG = 24;

function wide(fact: Plain): boolean {
  const texts = [fact.note ?? "", fact.shown, ...(fact.also ?? []).map(one => one.shown), fact.label];
  return (fact.also?.length ?? 0) > 1 || texts.some(one => one.length > LONG);
}

/** The few that stand at the head of a page. */
export function Tiles({ facts }: { facts: Fact[] }) {
  return (
    <dl class="key">
      {facts.map((fact, n) => (
        <div class={n === 0 ? "first" : wide(fact) ? "wide" : ""}>
          <dt>{fact.label.trim()}</dt>
          <dd><Whole fact={fact} /></dd>
        </div>
      ))}
    </dl>
  );
}

export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <table class="facts">
      <tbody>
        {facts.map(fact => <tr><th scope="row">{fact.label.trim()}</th><td><Whole fact={fact} /></td></tr>)}
      </tbody>
    </table>
  );
}
