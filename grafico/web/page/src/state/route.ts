/** Where the page is: the part of the address after the #. */

import { Cell } from "./cell.ts";

export type Route =
  | { at: "new" }
  | { at: "conversation"; key: string }
  | { at: "form" | "runs" | "computing" }
  | { at: "object"; iri: string };

function read(): Route {
  const [, place = "", rest = ""] = /^#\/(\w*)\/?(.*)$/.exec(location.hash) ?? [];
  if (place === "c" && rest) return { at: "conversation", key: decoded(rest) };
  if (place === "o" && rest) return { at: "object", iri: decoded(rest) };
  if (place === "form" || place === "runs" || place === "computing") return { at: place };
  return { at: "new" };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const route = new Cell<Route>(read());

addEventListener("hashchange", () => {
  if (location.hash.startsWith("#token=")) location.reload(); // the address of another server
  else route.set(read());
});
