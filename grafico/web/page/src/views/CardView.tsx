/** What was done in one go: in words, with its progress, and with its results when it is over. */

import { inWords } from "../api.ts";
import { Folded } from "../blocks/Sections.tsx";
import type { LiveCard } from "../state/live.ts";
import type { Card } from "../types.ts";

import { Name } from "../blocks/Name.tsx";
import { asIri, toObject } from "../iri.ts";
import { Course } from "./Course.tsx";
import { Files } from "./Files.tsx";
import { RunView } from "./RunView.tsx";

export function CardView({ card, of, open = true }: { card: Card | LiveCard; of: string; open?: boolean }) {
  const live = "open" in card && card.open;
  const [tone, word] = live ? ["open", "under way…"] : card.failed ? ["failed", "failed"] : card.found == null ? ["unmet", "cut off"] : ["finished", "done"];
  return (
    <div class={`card ${tone}`} role="group" aria-label={card.title || card.name} aria-busy={live}>
      <header>
        <span class="sign" aria-hidden="true" />
        <h3>{card.title || card.name}</h3>
        <span class="status">{word}</span>
      </header>
      {"lines" in card && live ? <Progress card={card} /> : null}
      {card.failed ? <p class="wrong" role="alert">{inWords(card.failed)}</p> : null}
      {live ? null : <Results card={card} of={of} open={open} />}
      <Folded title="What exactly was asked" level="way">{() => <Exactly card={card} />}</Folded>
    </div>
  );
}

function Progress({ card }: { card: LiveCard }) {
  const { lines, progress, live } = card;
  return (
    <>
      {live.map(one => (
        <div class="live-run">
          <p class="facts-line">
            {[one.about, one.goal].filter(Boolean).join(": ")}
            {one.step ? <> <span class="note">now: {one.step}</span></> : null}
          </p>
          {one.courses.map(way => <Course way={way} live />)}
        </div>
      ))}
      {progress && progress.total > 1 ? (
        <p class="facts-line">
          <progress value={progress.done} max={progress.total} aria-label="Done" /> {progress.done} of {progress.total}
          {progress.failed ? `, ${progress.failed} failed` : ""}
        </p>
      ) : null}
      {lines.length ? (
        <ol class="lines" aria-label="Progress" tabIndex={0}>
          {lines.slice(-6).map(one => <li>{one.text}</li>)}
        </ol>
      ) : null}
    </>
  );
}

function Results({ card, of, open }: { card: Card; of: string; open: boolean }) {
  const [runs, structures] = [card.runs ?? [], card.structures ?? []].map(names => names.map(one => asIri(one) ?? one)) as [string[], string[]];
  const shown = runs.length || card.view ? runs : structures.slice(0, 1);
  const others = structures.filter(one => !shown.includes(one));
  return (
    <>
      {shown.map((iri, n) => <RunView iri={iri} of={of} open={open && n === 0} alone={shown.length === 1} number={n + 1} />)}
      {others.length && !card.view ? <p class="note">Structures: {others.map((iri, n) => <>{n ? ", " : ""}<Name text={iri} /></>)}</p> : null}
      {card.view ? <p class="note">Shown in the viewer: <a href={toObject(card.view.iri)}>{card.view.formula}</a>{card.view.marks.map(one => `, ${one.symbol}${one.atom} ${one.label}`)}</p> : null}
      <Files names={card.files ?? []} of={of} />
    </>
  );
}

function Exactly({ card }: { card: Card }) {
  return (
    <>
      <p class="note">{card.name}</p>
      <pre tabIndex={0}>{text(card.arguments)}</pre>
      {card.found === undefined || card.found === null ? null : <><p class="note">What came back</p><pre tabIndex={0}>{text(card.found)}</pre></>}
    </>
  );
}

const MOST = 20_000;

function text(value: unknown): string {
  const said = typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
  return said.length > MOST ? `${said.slice(0, MOST)}\n… (${said.length - MOST} characters more)` : said;
}
