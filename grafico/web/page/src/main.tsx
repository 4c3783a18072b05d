/** Begin: take the token, follow the stream, draw the page. */

import { render } from "preact";
import { keepToken, takeToken } from "./api.ts";
import { begin } from "./state/conversations.ts";
import { apply } from "./state/theme.ts";
import { Shell } from "./views/Shell.tsx";
import { TokenView } from "./views/TokenView.tsx";
import "./style.css";

/** A tab opened from another one asks it for the token; only pages of this address hear that. */
const others = new BroadcastChannel("grafico token");
const ASKING = 300;

async function fromOthers(): Promise<string> {
  return new Promise(done => {
    const wait = setTimeout(() => done(""), ASKING);
    others.onmessage = ({ data }: MessageEvent<{ token?: string }>) => {
      if (!data.token) return;
      clearTimeout(wait);
      done(data.token);
    };
    others.postMessage({ ask: true });
  });
}

async function start(): Promise<void> {
  apply();
  const place = document.getElementById("page");
  if (!place) return;
  let token = takeToken();
  if (!token) {
    token = await fromOthers();
    if (token) keepToken(token);
  }
  if (!token) {
    render(<TokenView refused={false} />, place);
    return;
  }
  others.onmessage = ({ data }: MessageEvent<{ ask?: true }>) => data.ask && others.postMessage({ token });
  render(<Shell />, place);
  await begin(token);
}

void start();
