/** The one worker of a browser that holds the stream for all its tabs. */

import { read, type Told } from "./reader.ts";

const ports = new Set<MessagePort>();
let last: Told | null = null;
let started = false;

function tell(told: Told): void {
  if (told.type === "state") {
    last = told;
    if (told.state === "refused") started = false;
  }
  for (const port of ports) port.postMessage(told);
}

addEventListener("connect", event => {
  const port = (event as MessageEvent).ports[0];
  if (!port) return;
  port.onmessage = ({ data }: MessageEvent<{ token?: string; leave?: true }>) => {
    if (data.leave) ports.delete(port);
    else if (data.token) {
      ports.add(port);
      if (last && started) port.postMessage(last);
      if (!started) {
        started = true;
        void read(data.token, tell, new AbortController().signal);
      }
    }
  };
});
