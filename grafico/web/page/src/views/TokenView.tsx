/** What stands there without a token, or with one that the server does not know. */

import { useState } from "preact/hooks";
import { keepToken } from "../api.ts";
import { Sent, Wrong } from "./Wrong.tsx";

export function TokenView({ refused }: { refused: boolean }) {
  const [text, write] = useState("");
  const [trouble, wrong] = useState("");
  const open = () => {
    const found = /(?:#token=)?([\w~.+/=-]{8,})$/.exec(text.trim())?.[1];
    if (!found) return wrong("That is not an address with a token: it ends with #token= and letters.");
    keepToken(found);
    location.reload();
  };
  return (
    <main class="token">
      <h1>Grafico</h1>
      <p>{refused ? "The server does not know this page any more: it has been started anew." : "This page belongs to a server on your machine, which knows you by a token."}</p>
      <p>Open the address that <code>grafico web</code> has printed, or paste it here.</p>
      <Sent class="buttons" send={open}>
        <input aria-label="Address with the token" value={text} autocomplete="off" spellcheck={false} placeholder="http://127.0.0.1:…/#token=…" onInput={event => write(event.currentTarget.value)} />
        <button type="submit" class="main">Open</button>
      </Sent>
      <Wrong text={trouble} />
    </main>
  );
}
