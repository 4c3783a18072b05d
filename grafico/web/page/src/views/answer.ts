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
  linked(piece);
  for (const table of piece.querySelectorAll("table")) boxed(table);
  mark(piece, numbers);
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
  if (iri) {
    link.href = toObject(iri);
    return;
  }
  const text = document.createElement("span");
  text.append(...link.childNodes);
  const outside = /^https?:\/\//.test(address);
  if (outside && text.textContent?.replace(PRIVATE, "") !== address) text.append(` (${address})`);
  if (!outside) {
    link.replaceWith(...text.childNodes);
    return;
  }
  link.append(...text.childNodes);
  Object.assign(link, { href: address, rel: "noopener noreferrer", target: "_blank", className: "outside" });
}

/** Names of objects in the text open them. */
function linked(piece: DocumentFragment): void {
  for (const node of texts(piece)) {
    const found = [...node.data.matchAll(NAMED)];
    if (!found.length || node.parentElement?.closest("a, pre")) continue;
    const pieces: (string | Node)[] = [];
    let end = 0;
    for (const one of found) {
      pieces.push(node.data.slice(end, one.index), named(one[0]));
      end = one.index + one[0].length;
    }
    node.replaceWith(...pieces, node.data.slice(end));
  }
}

function texts(piece: DocumentFragment): Text[] {
  const walk = document.createTreeWalker(piece, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (walk.nextNode()) found.push(walk.currentNode as Text);
  return found;
}

function boxed(table: HTMLTableElement): void {
  const box = document.createElement("div");
  box.className = "box";
  box.tabIndex = 0;
  table.replaceWith(box);
  box.append(table);
}

function mark(piece: DocumentFragment, numbers: Num[]): void {
  for (const node of texts(piece)) {
    const text = node.data;
    if (text.search(PRIVATE) < 0) continue;
    const pieces: (string | Node)[] = [];
    let end = 0;
    for (const found of text.matchAll(MARKED)) {
      const [whole, begin = "", inner = ""] = found;
      pieces.push(text.slice(end, found.index).replace(PRIVATE, ""));
      const number = numbers[begin.charCodeAt(0) - FIRST];
      pieces.push(number ? marker(number, inner, node.parentElement) : inner);
      end = found.index + whole.length;
    }
    pieces.push(text.slice(end).replace(PRIVATE, ""));
    node.replaceWith(...pieces);
  }
}

/** A number that opens its source, or is marked as having none. */
function marker(number: Num, text: string, parent: Element | null): Node {
  const iri = number.source ? asIri(number.source) : null;
  if (number.source === null) {
    const none = document.createElement("mark");
    none.className = "unsourced";
    none.title = number.how || "No source is known for this number.";
    const sign = document.createElement("sup");
    sign.textContent = "no source";
    none.append(text, " ", sign);
    return none;
  }
  if (!iri || parent?.closest("a")) {
    const plain = document.createElement("span");
    plain.className = "num";
    plain.title = [number.how, number.source].filter(Boolean).join(": ");
    plain.textContent = text;
    return plain;
  }
  const link = document.createElement("a");
  link.className = "num";
  link.href = toObject(iri);
  link.title = number.how || `From ${short(iri)}`;
  link.textContent = text;
  return link;
}
