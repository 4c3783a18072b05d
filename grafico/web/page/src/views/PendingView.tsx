/** What waits for a word of the person: a question, a choice or a yes to what would be done. */

import { useState } from "preact/hooks";
import { post } from "../api.ts";
import type { Pending } from "../state/live.ts";
import { Sent, useTry, Wrong } from "./Wrong.tsx";

export function PendingView({ asked, answered, of }: { asked: Pending; answered: boolean; of: string }) {
  const [sent, send] = useState<string | boolean | null>(null);
  const { trouble, attempt } = useTry();
  const answer = async (value: string | boolean) => {
    send(value);
    if (!(await attempt(() => post("answer", { key: of, id: asked.id, answer: value })))) send(null);
  };
  const given = sent === null ? "answered" : sent === true ? "yes" : sent === false ? "no" : sent;
  return (
    <div class="pending" role="group" aria-label="Waits for you">
      {asked.k === "approval" ? <Approval asked={asked} /> : <p>{asked.text}</p>}
      {answered || sent !== null ? <p class="note" role="status">Your answer: {given}</p> : asked.k === "approval" ? (
        <p class="buttons">
          <button type="button" class="main" onClick={() => void answer(true)}>Yes, do it</button>
          <button type="button" onClick={() => void answer(false)}>No</button>
        </p>
      ) : asked.options?.length ? (
        <p class="buttons">{asked.options.map(one => <button type="button" onClick={() => void answer(one)}>{one}</button>)}</p>
      ) : (
        <Free answer={answer} />
      )}
      <Wrong text={trouble} />
    </div>
  );
}

function Approval({ asked }: { asked: Extract<Pending, { k: "approval" }> }) {
  const effects = Array.isArray(asked.effects) ? asked.effects.join(", ") : asked.effects;
  return (
    <>
      <p class="lined"><strong>May this be done?</strong> {asked.what || asked.tool}</p>
      {asked.why ? <p class="note">Why: {asked.why}</p> : effects ? <p class="note">It touches: {effects}</p> : null}
      {Object.keys(asked.arguments ?? {}).length ? <details><summary>What exactly</summary><pre tabIndex={0}>{JSON.stringify(asked.arguments, null, 2)}</pre></details> : null}
    </>
  );
}

function Free({ answer }: { answer: (text: string) => Promise<void> }) {
  const [text, write] = useState("");
  return (
    <Sent class="buttons" send={() => text.trim() && void answer(text.trim())}>
      <input aria-label="Your answer" value={text} onInput={event => write(event.currentTarget.value)} />
      <button type="submit" class="main">Answer</button>
    </Sent>
  );
}
