/** How a tab gets the events: from the shared worker, or from the tab that holds the stream. */

import { read, type Told } from "./reader.ts";

const CHANNEL = "grafico stream";

/** Follow the stream; the last event of a token's stream comes to every tab that holds it. */
export async function follow(token: string, tell: (told: Told) => void): Promise<void> {
  const name = `grafico ${await short(token)}`; // another token has another worker
  if (typeof SharedWorker === "undefined") {
    byTurns(name, token, tell);
    return;
  }
  const worker = new SharedWorker(new URL("./shared.ts", import.meta.url), { type: "module", name });
  worker.onerror = () => byTurns(name, token, tell);
  worker.port.onmessage = ({ data }: MessageEvent<Told>) => tell(data);
  worker.port.postMessage({ token });
  addEventListener("pagehide", () => worker.port.postMessage({ leave: true }));
  addEventListener("pageshow", event => {
    if (event.persisted) location.reload(); // it missed what was told meanwhile
  });
}

async function short(token: string): Promise<string> {
  if (!crypto.subtle) return String(token.length);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  return [...new Uint8Array(digest).slice(0, 6)].map(one => one.toString(16).padStart(2, "0")).join("");
}

/** One tab holds a lock and reads; the others hear from it, and one of them follows it. */
function byTurns(name: string, token: string, tell: (told: Told) => void): void {
  const channel = new BroadcastChannel(`${CHANNEL} ${name}`);
  let last: Told | null = null;
  let mine = false;
  channel.onmessage = ({ data }: MessageEvent<Told | { type: "hello" }>) => {
    if (data.type !== "hello") tell(data);
    else if (mine && last) channel.postMessage(last);
  };
  channel.postMessage({ type: "hello" });
  void navigator.locks.request(name, async () => {
    mine = true;
    const both = (told: Told) => {
      if (told.type === "state") last = told;
      tell(told);
      channel.postMessage(told);
    };
    await read(token, both, new AbortController().signal);
  });
}
