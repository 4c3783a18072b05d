import assert from "node:assert/strict";
import { test } from "node:test";
import { reduce, type Conversation } from "../src/state/live.ts";
import type { Event } from "../src/types.ts";

const start: Conversation = { name: "", turns: [], live: null };
const c = "k";

function after(...events: object[]): Conversation {
  return events.map(one => ({ c, ...one }) as Event).reduce(reduce, start);
}

const asked = { k: "asked", question: "q" };
const tool = { k: "tool", call: "1", name: "t", title: "Title", arguments: {} };

test("text that is void goes, cards stay", () => {
  const { live } = after(asked, tool, { k: "text", text: "a" }, { k: "text", text: "b" }, { k: "again", text: "" }, { k: "text", text: "c" });
  assert.deepEqual(live?.parts.map(one => (one.type === "card" ? one.card.title : "text" in one ? one.text : "")), ["Title", "c"]);
});

test("a line with a key replaces the one before", () => {
  const line = (text: string, key: string) => ({ k: "line", call: "1", text, key });
  const { live } = after(asked, tool, line("1 of 3", "n"), line("x", ""), line("2 of 3", "n"));
  const part = live?.parts[0];
  assert.deepEqual(part?.type === "card" && part.card.lines.map(one => one.text), ["2 of 3", "x"]);
});

test("frames stand in their order, symbols are remembered", () => {
  const frame = (step: number, more = {}) => ({ k: "frame", call: "1", run: "r", stage: "s", step, energy: -step, ...more });
  const { live } = after(asked, tool, frame(1, { symbols: ["H"], positions: [[0, 0, 0]] }), frame(3), frame(2), frame(3));
  const part = live?.parts[0];
  const course = part?.type === "card" ? part.card.live[0]?.courses[0] : undefined;
  assert.deepEqual(course?.frames.map(one => one.step), [1, 2, 3]);
  assert.deepEqual(course?.symbols, ["H"]);
});

test("a turn that is done replaces what was live", () => {
  const { live, turns } = after(asked, tool, { k: "done", turn: { question: "q" } });
  assert.equal(live, null);
  assert.equal(turns.length, 1);
});

test("an approval is asked once, and marked when answered", () => {
  const approval = { k: "approval", id: "p", what: "w" };
  const { live } = after(asked, approval, approval, { k: "answered", id: "p" });
  assert.deepEqual(live?.parts.map(one => one.type === "pending" && one.answered), [true]);
});
