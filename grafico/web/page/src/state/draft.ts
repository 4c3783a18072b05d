/** What stands in the field for a question; other parts of the page may put something there. */

import { Cell } from "./cell.ts";
import { keep, kept } from "./kept.ts";

export const inserted = new Cell<{ text: string; whole: boolean; turn: number }>({ text: "", whole: false, turn: 0 });

/** Put text where the person writes. */
export function insert(text: string): void {
  inserted.change(old => ({ text, whole: false, turn: old.turn + 1 }));
}

/** Put a whole question there, to be changed and sent again. */
export function edit(text: string): void {
  inserted.change(old => ({ text, whole: true, turn: old.turn + 1 }));
}

/** A draft outlives a reload, and a server that is started anew. */
export function draft(key: string): string {
  return kept("sessionStorage", `draft ${key}`);
}

export function keepDraft(key: string, text: string): void {
  keep("sessionStorage", `draft ${key}`, text);
}
