/** An answer as a safe piece of the page: Markdown, links to objects, marks on its numbers. */

import DOMPurify from "dompurify";
import { Marked } from "marked";
import { named } from "../blocks/Name.tsx";
import { asIri, short, toObject } from "../iri.ts";
import type { Num } from "../types.ts";

/** Letters for private use: where a number begins (one for each) and where it ends. */
const END = "\uE000";
const FIRST = 0xe100;
const MOST = 0xf8ff - FIRST;
const PRIVATE = /[\uE000-\uF8FF]/g;
const MARKED = /([\uE100-\uF8FF])([^\uE000-\uF8FF]*)\uE000/g;

const NAMED = /g:id\/\w+\/[\w.-]*\w/g;

const TAGS = [
  "p", "br", "strong", "em", "del", "code", "pre", "ul", "ol", "li", "blockquote", "hr", "a", "sub", "sup",
  "h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td",
];

/** HTML within an answer is text, but for the few signs that chemists write. */
const markdown = new Marked({
  async: false,
  gfm: true,
  breaks: true,
  renderer: {
    html: ({ text }) => (/^<(\/?(sub|sup)|br ?\/?)>$/.test(text) ? text : text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;")),
  },
});

/** Return the answer ready to be put into the page. */
export function drawn(answer: string, numbers: Num[]): DocumentFragment {
  const html = markdown.parse(withMarks(answer, numbers)) as string;
  const piece = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ["href", "start", "align"],
    ALLOWED_URI_REGEXP: /^(https?:|g:id\/)/,
    ALLOW_DATA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const link of piece.querySelectorAll("a")) relink(link);
  for (const table of piece.querySelectorAll("table")) boxed(table);
  replaced(piece, NAMED, ([name], place) => (place?.closest("a, pre") ? name : named(name)));
  replaced(piece, MARKED, ([, begin = "", text = ""], place) => {
    const number = numbers[begin.charCodeAt(0) - FIRST];
    return number ? marker(number, text, place) : text;
  });
  for (const node of texts(piece)) if (node.data.search(PRIVATE) >= 0) node.data = node.data.replace(PRIVATE, ""); // of numbers in two parts
  return piece;
}

/** Positions count whole characters, as Python does. */
function withMarks(answer: string, numbers: Num[]): string {
  const letters = [...answer.replace(PRIVATE, "\uFFFD")];
  let end = 0;
  const sorted = numbers.map((one, n) => ({ ...one, n })).sort((a, b) => a.start - b.start);
  let text = "";
  for (const { start, end: stop, n } of sorted) {
    if (start < end || stop <= start || stop > letters.length || n >= MOST) continue;
    text += letters.slice(end, start).join("") + String.fromCharCode(FIRST + n) + letters.slice(start, stop).join("") + END;
    end = stop;
  }
  return text + letters.slice(end).join("");
}

/** A link to an object stays within the page; any other is shown with its address. */
function relink(link: HTMLAnchorElement): void {
  const address = (link.getAttribute("href") ?? "").replace(PRIVATE, "");
  link.removeAttribute("href");
  const iri = asIri(address);
  if (iri) link.href = toObject(iri);
  if (iri) return;
  if (!/^https?:\/\//.test(address)) return link.replaceWith(...link.childNodes);
  if (link.textContent?.replace(PRIVATE, "") !== address) link.append(` (${address})`);
  Object.assign(link, { href: address, rel: "noopener noreferrer", target: "_blank", className: "outside" });
}

function texts(piece: DocumentFragment): Text[] {
  const walk = document.createTreeWalker(piece, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (walk.nextNode()) found.push(walk.currentNode as Text);
  return found;
}

function boxed(table: HTMLTableElement): void {
  const box = tag("div", { className: "box", tabIndex: 0 });
  table.replaceWith(box);
  box.append(table);
}

/** Put something else where texts fit a pattern. */
function replaced(piece: DocumentFragment, pattern: RegExp, make: (found: RegExpExecArray, place: Element | null) => string | Node): void {
  for (const node of texts(piece)) {
    const pieces: (string | Node)[] = [];
    let end = 0;
    for (const found of node.data.matchAll(pattern)) {
      pieces.push(node.data.slice(end, found.index), make(found, node.parentElement));
      end = found.index + found[0].length;
    }
    if (end) node.replaceWith(...pieces, node.data.slice(end));
  }
}

function tag<K extends keyof HTMLElementTagNameMap>(name: K, properties: Partial<HTMLElementTagNameMap[K]>): HTMLElementTagNameMap[K] {
  return Object.assign(document.createElement(name), properties);
}

/** A number that opens its source, or is marked as having none. */
function marker(number: Num, text: string, place: Element | null): Node {
  if (number.source === null) {
    const none = tag("mark", { className: "unsourced", title: number.how || "No source is known for this number." });
    none.append(text, " ", tag("sup", { textContent: "no source" }));
    return none;
  }
  const iri = asIri(number.source);
  if (!iri || place?.closest("a")) return tag("span", { className: "num", title: [number.how, number.source].filter(Boolean).join(": "), textContent: text });
  return tag("a", { className: "num", href: toObject(iri), title: number.how || `From ${short(iri)}`, textContent: text });
}
