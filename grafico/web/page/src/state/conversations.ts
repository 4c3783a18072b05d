/** All conversations that this tab has opened, kept in step with the server. */

import { get, post, said } from "../api.ts";
import { follow } from "../stream/client.ts";
import type { ConversationData, Event, Listed, State } from "../types.ts";
import { Cell } from "./cell.ts";
import { reduce, type Conversation } from "./live.ts";

export interface Opened { key: string; data: Conversation | null; trouble: string }

export const connection = new Cell<"opening" | "open" | "lost" | "refused">("opening");
export const listed = new Cell<Listed[]>([]);
export const server = new Cell<State | null>(null);

const opened = new Map<string, Cell<Opened>>();
/** Events that came while the conversation was being asked for. */
const early = new Map<string, { id: string; event: Event }[]>();

/** Follow the stream, and tell whenever a list has changed. */
export async function begin(token: string): Promise<void> {
  await follow(token, told => {
    if (told.type === "event") take(told.id, JSON.parse(told.data) as Event);
    else {
      const first = connection.value === "opening";
      connection.set(told.state);
      if (told.state === "open") void refresh();
      if (told.state === "open" && !first) for (const key of opened.keys()) void load(key, true);
    }
  });
}

async function refresh(): Promise<void> {
  await Promise.all([list(), look()]);
}

let asking = false;

/** Look at what the server is and has, until it is ready. */
async function look(): Promise<void> {
  if (asking) return;
  asking = true;
  try {
    do {
      const state = await get<State>("state");
      server.set(state);
      if (state.ready || state.trouble) break;
      await new Promise(done => setTimeout(done, 700));
    } while (connection.value === "open");
  } catch {
    /* the stream tells of a lost connection */
  }
  asking = false;
}

export async function list(): Promise<void> {
  try {
    listed.set((await get<{ rows: Listed[] }>("conversations")).rows);
  } catch {
    /* likewise */
  }
}

let due = 0;

/** Several changes within a moment are asked for once. */
function listSoon(): void {
  if (due) return;
  due = window.setTimeout(() => {
    due = 0;
    void list();
  }, 150);
}

function take(id: string, event: Event): void {
  if (event.k === "reset") {
    for (const key of opened.keys()) void load(key);
    void refresh();
    return;
  }
  if (["listed", "named", "done", "asked"].includes(event.k)) listSoon();
  if (event.k === "listed") return;
  early.get(event.c)?.push({ id, event });
  if (early.has(event.c)) return;
  opened.get(event.c)?.change(one => (one.data ? { ...one, data: reduce(one.data, event) } : one));
}

export function conversation(key: string): Cell<Opened> {
  let cell = opened.get(key);
  if (!cell) {
    cell = new Cell<Opened>({ key, data: null, trouble: "" });
    opened.set(key, cell);
    void load(key);
  }
  return cell;
}

/** Begin a conversation, which is kept from its first question on. */
export async function fresh(): Promise<string> {
  return (await post<{ key: string }>("conversations")).key;
}

/** Ask for a conversation as it stands, and go on from there with what the stream has told since. */
async function load(key: string, quietly = false): Promise<void> {
  const cell = opened.get(key);
  if (!cell || early.has(key)) return;
  early.set(key, []);
  try {
    await isOpen();
    const told = await get<ConversationData>(`conversations/${encodeURIComponent(key)}`);
    const known = early.get(key) ?? [];
    const later = known.filter(({ id }) => isAfter(id, told.at)).map(({ event }) => event);
    const start: Conversation = { name: told.name, turns: told.turns, live: null };
    cell.set({ key, data: [...told.live, ...later].reduce(reduce, start), trouble: "" });
  } catch (error) {
    if (!quietly || !cell.value.data) cell.set({ key, data: cell.value.data, trouble: said(error) });
  }
  early.delete(key);
}

/** Nothing is missed if the stream is open before something is asked for. */
async function isOpen(): Promise<void> {
  if (connection.value !== "opening") return;
  await new Promise<void>(done => {
    const leave = connection.follow(() => {
      leave();
      done();
    });
  });
}

function isAfter(id: string, at: string): boolean {
  const [epoch, number] = apart(id);
  const [then, last] = apart(at);
  return epoch !== then || number > last;
}

function apart(id: string): [string, number] {
  const at = id.lastIndexOf("-");
  return [id.slice(0, at), Number(id.slice(at + 1))];
}
