/** The name of an object: the whole IRI for whoever copies it, its class and last letters for the eye. */

import { render } from "preact";
import { asIri, short, toObject } from "../iri.ts";

const TAIL = 6;
const MOST = 28;

export function Name({ text }: { text: string }) {
  const iri = asIri(text);
  if (!iri) return <>{text}</>;
  const whole = short(iri);
  const at = whole.length > MOST ? whole.length - TAIL : 0;
  return (
    <a class="name" href={toObject(iri)} title={whole}>
      {at ? <span class="cut" style={{ maxWidth: `${whole.lastIndexOf("/") + 2}ch` }}>{whole.slice(0, at)}</span> : null}{whole.slice(at)}
    </a>
  );
}

/** The same where there are no components. */
export function named(iri: string): HTMLElement {
  const place = document.createElement("span");
  render(<Name text={iri} />, place);
  return place;
}
