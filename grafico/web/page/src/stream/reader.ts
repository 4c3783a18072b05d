/** The stream of events: read by fetch, opened again whenever it breaks. */

import { createParser } from "eventsource-parser";

const FIRST_WAIT = 200;
const LONGEST_WAIT = 5000;
const SILENCE = 40_000;

export type Told =
  | { type: "event"; id: string; data: string }
  | { type: "state"; state: "open" | "lost" | "refused" };

/** Read for ever; what is told goes to `tell`. Aborting `signal` ends it. */
export async function read(token: string, tell: (told: Told) => void, signal: AbortSignal): Promise<void> {
  let since = "";
  let wait = FIRST_WAIT;
  while (!signal.aborted) {
    const quiet = new AbortController();
    const either = AbortSignal.any([signal, quiet.signal]);
    let watch = setTimeout(() => quiet.abort(), SILENCE);
    try {
      const path = since ? `/api/stream?since=${encodeURIComponent(since)}` : "/api/stream";
      const headers = { Authorization: `Bearer ${token}` };
      const answer = await fetch(path, { headers, signal: either, cache: "no-store", credentials: "omit" });
      if (answer.status === 401 || answer.status === 403) {
        tell({ type: "state", state: "refused" });
        return;
      }
      if (!answer.ok || !answer.body) throw new Error(`status ${answer.status}`);
      tell({ type: "state", state: "open" });
      wait = FIRST_WAIT;
      const parser = createParser({
        onEvent({ id, data }) {
          if (id) since = id;
          tell({ type: "event", id: id ?? "", data });
        },
      });
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        clearTimeout(watch);
        watch = setTimeout(() => quiet.abort(), SILENCE);
        parser.feed(value);
      }
    } catch {
      /* told below */
    }
    clearTimeout(watch);
    if (signal.aborted) return;
    tell({ type: "state", state: "lost" });
    await new Promise(done => setTimeout(done, wait));
    wait = Math.min(LONGEST_WAIT, wait * 2);
  }
}
