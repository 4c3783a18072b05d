/** The turn under way, made from its events. Nothing here changes in place. */

import type { Card, Event, Frame, Turn } from "../types.ts";

export interface Line { text: string; key: string }

export interface Course { stage: string; frames: Frame[]; symbols: string[] }

export interface LiveRun { run: string; about: string; goal: string; step: string; courses: Course[] }

export interface LiveCard extends Card {
  open: boolean; lines: Line[]; progress: { done: number; total: number; failed: number } | null;
  live: LiveRun[];
}

export type Part =
  | { type: "text" | "thinking" | "note"; text: string }
  | { type: "card"; card: LiveCard }
  | { type: "pending"; asked: Pending; answered: boolean };

export type Pending = Extract<Event, { k: "question" | "approval" }>;

/** `look` names who waits for a picture of the viewer. */
export interface Live { question: string; files: string[]; started: string; parts: Part[]; look?: string }

export interface Conversation { name: string; turns: Turn[]; live: Live | null }

/** Lines of progress that a card remembers. */
const LINES = 200;
/** Numbers that the frames of a course hold at most; beyond that every second one goes. */
const NUMBERS = 1_500_000;

export function reduce(before: Conversation, event: Event): Conversation {
  if (event.k === "asked") {
    const { question, files = [], started = "" } = event;
    return { ...before, live: { question, files, started, parts: [] } };
  }
  if (event.k === "named") return { ...before, name: event.name };
  if (event.k === "done") {
    const others = before.turns.filter(one => one.started !== event.turn.started); // it may stand there already
    return { ...before, turns: [...others, event.turn], live: null };
  }
  if (!before.live) return before;
  if (event.k === "look") return { ...before, live: { ...before.live, look: event.id } };
  if (event.k === "answered" && event.id === before.live.look) return { ...before, live: { ...before.live, look: "" } };
  const parts = follow(before.live.parts, event);
  return parts === before.live.parts ? before : { ...before, live: { ...before.live, parts } };
}

function follow(parts: Part[], event: Event): Part[] {
  switch (event.k) {
    case "text":
    case "thinking":
      return joined(parts, event.k, event.text);
    case "note":
      return [...parts, { type: "note", text: event.text }];
    case "again":
      return [...withoutLast(parts), ...(event.text ? [{ type: "note" as const, text: event.text }] : [])];
    case "tool": {
      const { call, name, title } = event;
      const card: LiveCard = { call, name, title, arguments: event.arguments, open: true, lines: [], progress: null, live: [] };
      return [...parts, { type: "card", card }];
    }
    case "question":
    case "approval":
      return parts.some(one => one.type === "pending" && one.asked.id === event.id)
        ? parts
        : [...parts, { type: "pending", asked: event, answered: false }];
    case "answered":
      return parts.map(one => (one.type === "pending" && one.asked.id === event.id ? { ...one, answered: true } : one));
    case "line":
    case "run":
    case "step":
    case "frame":
    case "progress":
    case "result":
      return parts.map(one =>
        one.type === "card" && one.card.call === event.call ? { ...one, card: onCard(one.card, event) } : one,
      );
    default:
      return parts;
  }
}

/** What is said goes on in the last part, if that is of its kind. */
function joined(parts: Part[], type: "text" | "thinking", text: string): Part[] {
  const last = parts.at(-1);
  return last?.type === type ? [...parts.slice(0, -1), { type, text: last.text + text }] : [...parts, { type, text }];
}

/** What the model said since the last card is void. */
function withoutLast(parts: Part[]): Part[] {
  const at = parts.findLastIndex(one => one.type === "card" || one.type === "pending");
  return parts.filter((one, place) => place <= at || one.type === "note");
}

function onCard(card: LiveCard, event: Event): LiveCard {
  switch (event.k) {
    case "line":
      return { ...card, lines: lined(card.lines, { text: event.text, key: event.key ?? "" }) };
    case "progress":
      return { ...card, progress: { done: event.done, total: event.total, failed: event.failed ?? 0 } };
    case "run":
      return card.live.some(one => one.run === event.run)
        ? card
        : { ...card, live: [...card.live, begun(event.run, event.about, event.goal)] };
    case "step":
      return { ...card, live: onRun(card.live, event.run, one => ({ ...one, step: event.name })) };
    case "frame":
      return { ...card, live: onRun(card.live, event.run ?? "", one => ({ ...one, courses: framed(one.courses, event) })) };
    case "result": {
      const { found, failed = null, runs = [], files = [], structures = [], view = null } = event;
      return { ...card, found, failed, runs, files, structures, view, open: false };
    }
    default:
      return card;
  }
}

function lined(lines: Line[], line: Line): Line[] {
  const at = line.key ? lines.findIndex(one => one.key === line.key) : -1;
  if (at >= 0) return lines.with(at, line);
  return [...lines, line].slice(-LINES);
}

function begun(run: string, about = "", goal = ""): LiveRun {
  return { run, about, goal, step: "", courses: [] };
}

function onRun(live: LiveRun[], run: string, how: (one: LiveRun) => LiveRun): LiveRun[] {
  const known = live.some(one => one.run === run) ? live : [...live, begun(run)];
  return known.map(one => (one.run === run ? how(one) : one));
}

function framed(courses: Course[], event: Frame): Course[] {
  const old = courses.findLast(one => one.stage === (event.stage ?? ""));
  const symbols = event.symbols?.length && event.symbols.length !== old?.symbols.length ? event.symbols : (old?.symbols ?? []);
  const { stage = "", step, energy, max_gradient, positions } = event;
  const frame: Frame = { step, energy, max_gradient, positions };
  if (!old) return [...courses, { stage, symbols, frames: [frame] }];
  const kept = thinned(old.frames.filter(one => one.step !== step), symbols.length);
  const frames = [...kept, frame].sort((a, b) => a.step - b.step);
  return courses.map(one => (one === old ? { stage, symbols, frames } : one));
}

function thinned(frames: Frame[], atoms: number): Frame[] {
  return frames.length * (3 * atoms + 2) < NUMBERS ? frames : frames.filter((_, place) => place % 2 === 0);
}
