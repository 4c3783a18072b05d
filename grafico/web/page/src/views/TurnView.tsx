/** A question and what came of it. */

import { Component, type ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { capital, real, whole } from "../blocks/numbers.ts";
import { Folded } from "../blocks/Sections.tsx";
import { inWords } from "../api.ts";
import { asIri } from "../iri.ts";
import { edit } from "../state/draft.ts";
import type { Live } from "../state/live.ts";
import type { Turn } from "../types.ts";
import { Answer, Sources } from "./Answer.tsx";
import { CardView } from "./CardView.tsx";
import { Files } from "./Files.tsx";
import { PendingView } from "./PendingView.tsx";
import { RunView } from "./RunView.tsx";
import { Since } from "./Since.tsx";

function Question({ text, files, children }: { text: string; files: string[]; children?: ComponentChildren }) {
  return (
    <div class="question">
      <h2>{text}</h2>
      {files.length ? <p class="note">With {files.join(", ")}</p> : null}
      {children}
    </div>
  );
}

interface Kept { turn: Turn; of: string; last: boolean; again: ((turn: Turn) => void) | null }

/** A turn that is over: drawn once, and again only if it is another one. */
export class TurnView extends Component<Kept> {
  override shouldComponentUpdate(next: Kept): boolean {
    return next.turn !== this.props.turn || next.last !== this.props.last || (next.again === null) !== (this.props.again === null);
  }

  override render() {
    const { turn, of, last, again } = this.props;
    const inCards = new Set(turn.cards.flatMap(one => one.runs ?? []).map(whole_iri));
    const others = turn.runs.filter(one => !inCards.has(whole_iri(one)));
    const made = new Set(turn.cards.flatMap(one => one.files ?? []));
    return (
      <article class="turn">
        <Question text={turn.question} files={attached(turn)}>
          <p class="actions">
            <button type="button" class="link" onClick={() => edit(turn.question)}>Edit</button>
            {again ? <button type="button" class="link" onClick={() => this.props.again?.(turn)}>Ask again</button> : null}
          </p>
        </Question>
        {turn.thinking ? <Folded title="Reasoning" level="way">{() => <p class="thinking">{turn.thinking}</p>}</Folded> : null}
        {turn.cards.map(card => <CardView card={card} of={of} open={last} />)}
        {others.map((iri, n) => <RunView iri={iri} of={of} open={last && n === 0 && !inCards.size} alone={others.length === 1} number={n + 1} />)}
        {turn.status === "answered" ? null : <p class={`banner ${turn.status === "failed" ? "failed" : "unmet"}`} role="note"><strong>{capital(turn.status)}</strong> {turn.error ? inWords(turn.error) : turn.status === "cut off" ? `The server ended meanwhile. ${others.length ? "Go on with it above" : "Ask again"}: nothing that was finished is computed twice.` : ""}</p>}
        {turn.answer && !turn.error ? <Answer text={turn.answer} numbers={turn.numbers} /> : null}
        <Files names={turn.files.filter(one => !made.has(one))} of={of} />
        <Sources numbers={turn.numbers} />
        {turn.notes.map(one => <p class="note">{one}</p>)}
        <Cost turn={turn} />
      </article>
    );
  }
}

function whole_iri(text: string): string {
  return asIri(text) ?? text;
}

/** What came with a question, by its names. */
function attached(turn: Turn): string[] {
  return (turn.attached ?? []).map(one => one.file || one.from || one.formula || "a structure");
}

function Cost({ turn }: { turn: Turn }) {
  const said = [turn.planner, `${real(turn.seconds, 1)} s`];
  if (turn.input_tokens + turn.output_tokens > 0) {
    said.push(`${whole(turn.requests)} requests`, `${whole(turn.input_tokens)} tokens in`, `${whole(turn.output_tokens)} out`);
    said.push(turn.dollars === null ? "price not known" : `$${real(turn.dollars, 4)}`);
  }
  return <p class="cost">{said.filter(Boolean).join(" · ")}</p>;
}

/** Seconds without a word after which that is said. */
const SILENCE = 30;

function Silent() {
  const [long, wait] = useState(false);
  useEffect(() => {
    const tick = setTimeout(() => wait(true), SILENCE * 1000);
    return () => clearTimeout(tick);
  }, []);
  return long ? <p class="note" role="status">Nothing has come for {SILENCE} seconds: what answers here may be busy or out of reach. Wait, or press Stop and ask again, with another model if you like; what is finished is kept.</p> : null;
}

/** The turn under way. */
export function LiveTurn({ live, of }: { live: Live; of: string }) {
  const last = live.parts.at(-1);
  const waits = !last || (last.type === "card" && !last.card.open) || last.type === "thinking" || last.type === "note";
  return (
    <article class="turn live" aria-busy="true">
      <Question text={live.question} files={live.files} />
      {live.parts.map(part => {
        switch (part.type) {
          case "card":
            return <CardView key={part.card.call} card={part.card} of={of} />;
          case "text":
            return <Answer text={part.text} streaming={part === last} />;
          case "thinking":
            return <Folded title={part === last ? "Thinking…" : "Reasoning"} level="way">{() => <p class="thinking">{part.text}</p>}</Folded>;
          case "note":
            return <p class="note">{part.text}</p>;
          case "pending":
            return <PendingView key={part.asked.id} asked={part.asked} answered={part.answered} of={of} />;
        }
      })}
      {waits ? <Silent key={live.parts.length} /> : null}
      <p class="busy" role="status">{waits ? "Working…" : "Under way"} <Since time={live.started} /></p>
    </article>
  );
}
