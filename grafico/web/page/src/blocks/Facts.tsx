/** Facts: a value with its label and its unit, as tiles at a head or as rows of a list. */

import { asIri, short, toObject } from "../iri.ts";
import type { Fact, Value } from "../types.ts";
import { usual } from "./arrange.ts";
import { sentence, written } from "./numbers.ts";

type Plain = Omit<Fact, "kind">;

/** One value; names of objects open them. */
export function Said({ value, digits, unit }: { value: Value | null; digits?: string; unit?: string }) {
  const iri = typeof value === "string" ? asIri(value) : null;
  if (iri) return <a class="name" href={toObject(iri)}>{short(iri)}</a>;
  const text = written(value, digits);
  return (
    <>
      {typeof value === "number" ? <data value={String(value)}>{text}</data> : text}
      {unit ? <> <span class="unit">{unit}</span></> : null}
    </>
  );
}

function Quantity({ fact }: { fact: Plain }) {
  if (!Array.isArray(fact.value)) return <Said value={fact.value} digits={fact.digits} unit={fact.unit} />;
  return (
    <>
      {fact.value.map((one, n) => <>{n ? ", " : ""}<Said value={one} digits={fact.digits} /></>)}
      {fact.unit ? <> <span class="unit">{fact.unit}</span></> : null}
    </>
  );
}

function Also({ fact, of }: { fact: Plain; of: Plain }) {
  const again = !fact.label && fact.name === of.name && typeof fact.value !== "string";
  return <>{again ? " = " : ", "}{fact.label ? `${fact.label} ` : ""}<Quantity fact={fact} /></>;
}

function Whole({ fact }: { fact: Plain }) {
  const shown = usual(fact);
  return (
    <>
      <Quantity fact={shown} />
      {shown.also?.map(one => <Also fact={one} of={shown} />)}
      {shown.at?.length ? <div class="note">at {shown.at.map((one, n) => <>{n ? ", " : ""}<Quantity fact={one} /></>)}</div> : null}
      {shown.note ? <div class="note">{sentence(shown.note)}</div> : null}
    </>
  );
}

const LONG = 24;

function wide(fact: Plain): boolean {
  const texts = [fact.note ?? "", String(fact.value), ...(fact.also ?? []).map(one => String(one.value)), fact.label];
  return (fact.also?.length ?? 0) > 1 || Array.isArray(fact.value) || texts.some(one => one.length > LONG);
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
        {facts.map(fact => (
          <tr>
            <th scope="row">{fact.label.trim()}</th>
            <td><Whole fact={fact} /></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
