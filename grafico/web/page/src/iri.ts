/** Names of objects in the graph, and where the page shows them. */

const BASE = "https://w3id.org/grafico/";

/** Return the whole IRI of `g:id/…`, and null for what is none of the graph. */
export function asIri(text: string): string | null {
  if (/^g:id\/\S+$/.test(text)) return BASE + text.slice(2);
  return text.startsWith(`${BASE}id/`) && !/\s/.test(text) ? text : null;
}

/** Return an IRI as people write it. */
export function short(iri: string): string {
  return iri.startsWith(BASE) ? `g:${iri.slice(BASE.length)}` : iri;
}

/** Return the class that an IRI names, for people: `Run` of `g:id/Run/…`. */
export function kindOf(iri: string): string {
  return /[/:]id\/(\w+)\//.exec(iri)?.[1] ?? "object";
}

export function toObject(iri: string): string {
  return `#/o/${encodeURIComponent(iri)}`;
}

export function toConversation(key: string): string {
  return `#/c/${encodeURIComponent(key)}`;
}
