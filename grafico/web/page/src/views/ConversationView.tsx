/** A conversation: its turns, the one under way, and the field for the next question. */

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { download, post } from "../api.ts";
import { useSeen } from "../blocks/Seen.tsx";
import { toConversation } from "../iri.ts";
import { useCell } from "../state/cell.ts";
import { conversation, fresh, listed, server } from "../state/conversations.ts";
import type { Turn } from "../types.ts";
import { Composer, type Asked } from "./Composer.tsx";
import { Examples } from "./Examples.tsx";
import { Prompt } from "./Prompt.tsx";
import { answer, viewed, ViewerView } from "./ViewerView.tsx";
import { LiveTurn, TurnView } from "./TurnView.tsx";
import { useTitle, useTry, Wrong } from "./Wrong.tsx";

/** A new one has no key until something is sent. */
export function NewConversation() {
  const made = useRef("");
  useTitle("");
  const key = async () => (made.current ||= await fresh());
  const ask = async (asked: Asked) => {
    const of = await key();
    await post("ask", { key: of, ...asked, model: asked.model || undefined });
    location.hash = toConversation(of);
  };
  return (
    <div class="conversation">
      <div class="scroll">
        <Waiting />
        <Examples ask={text => ask({ text, files: [], model: "" })} />
      </div>
      <Composer of="" busy={false} key_of={key} ask={ask} stop={() => {}} />
    </div>
  );
}

/** While the server gets ready, one can already write. */
function Waiting() {
  const state = useCell(server);
  if (state?.trouble) return <Wrong text={state.trouble} />;
  if (!state || state.ready) return null;
  return <p class="busy" role="status">Opening the store… you can write already, it is answered as soon as it is open.</p>;
}

export function ConversationView({ of }: { of: string }) {
  const { data, trouble } = useCell(useMemo(() => conversation(of), [of]));
  const row = useCell(listed).find(one => one.key === of);
  const { trouble: wrong, attempt } = useTry();
  const scroll = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { away, down } = useBottom(scroll, content, of, data !== null);
  const name = data?.name || row?.name || data?.live?.question || "";
  useTitle(name);
  const ask = async (asked: Asked) => {
    await post("ask", { key: of, ...asked, model: asked.model || undefined });
    down();
  };
  const act = (what: () => Promise<unknown>) => void attempt(what);
  const again = (turn: Turn) => act(() => ask({ text: turn.question, files: (turn.attached ?? []).flatMap(one => one.file ?? []), model: "" }));
  const busy = data?.live != null;
  const views = useMemo(() => viewed(data), [data]);
  const view = views.at(-1);
  const look = data?.live?.look ?? "";
  const [closed, close] = useState(0);
  const hasViewer = view && (views.length > closed || look);
  useEffect(() => {
    if (look && !view) answer(of, look, "nothing is shown in the viewer yet");
  }, [look]);
  const turns = data?.turns ?? [];
  const { most, earlier } = useEarlier(scroll);
  const hidden = Math.max(0, turns.length - most);
  return (
    <div class={hasViewer ? "conversation beside" : "conversation"}>
      <header class="top">
        <h1>{name || "Conversation"}</h1>
        <Prompt link button="Rename" title="Rename this conversation" label="Name" text={name} done={text => post("rename", { key: of, name: text })} />
        <button type="button" class="link" onClick={() => act(() => download(`${name.replace(/[^\w-]+/g, "-").slice(0, 60) || "conversation"}.md`, `export/${encodeURIComponent(of)}`))}>Export</button>
      </header>
      <div class="scroll" ref={scroll} tabIndex={0} role="region" aria-label="Conversation">
        <div ref={content}>
          <Waiting />
          <Wrong text={trouble || wrong} />
          {hidden ? <Earlier count={hidden} more={earlier} /> : null}
          {turns.slice(hidden).map((turn, n) => <TurnView key={hidden + n} turn={turn} of={of} last={hidden + n === turns.length - 1} again={busy ? null : again} />)}
          {data?.live ? <LiveTurn live={data.live} of={of} /> : null}
          {!data && !trouble ? <div class="waiting" role="status" aria-label="Loading" /> : null}
        </div>
      </div>
      {hasViewer ? <ViewerView key={view.iri} view={view} of={of} look={look} close={() => close(views.length)} /> : null}
      <Announced turns={data ? turns : null} />
      {away ? <button type="button" class="down" onClick={down}>↓ Latest</button> : null}
      <Composer of={of} busy={busy} key_of={() => Promise.resolve(of)} ask={ask} stop={() => act(() => post("stop", { key: of }))} />
    </div>
  );
}

/** Turns that are drawn at first, and each time that the person comes near the first of them. */
const PART = 25;

/** What is read stays where it is when something comes above it. */
function useEarlier(scroll: { current: HTMLElement | null }) {
  const [most, show] = useState(PART);
  const held = useRef<{ turn: Element; top: number } | null>(null);
  const earlier = () => {
    const turn = scroll.current?.querySelector(".turn");
    if (!turn || !scroll.current) return;
    scroll.current.style.overflowAnchor = "none"; // one of the two sees to that, not both
    held.current = { turn, top: turn.getBoundingClientRect().top };
    show(most + PART);
  };
  useLayoutEffect(() => {
    const place = scroll.current;
    if (!held.current || !place) return;
    place.scrollBy(0, held.current.turn.getBoundingClientRect().top - held.current.top);
    held.current = null;
    requestAnimationFrame(() => (place.style.overflowAnchor = ""));
  }, [most]);
  return { most, earlier };
}

function Earlier({ count, more }: { count: number; more: () => void }) {
  const { ref, near } = useSeen<HTMLParagraphElement>();
  useEffect(() => {
    if (near) more();
  }, [near]);
  return <p ref={ref} class="note earlier"><button type="button" class="link" onClick={more}>{count} earlier questions</button></p>;
}

/** Say an answer once it is whole, to those who listen. */
function Announced({ turns }: { turns: Turn[] | null }) {
  const known = useRef<number | null>(null);
  const [text, say] = useState("");
  useEffect(() => {
    if (!turns) return;
    const last = turns.at(-1);
    if (known.current !== null && turns.length > known.current && last) say(`${last.status}. ${last.answer.replace(/[*_`#|]/g, "")}`);
    known.current = turns.length;
  }, [turns]);
  return <div class="unseen" aria-live="polite">{text}</div>;
}

const NEAR = 120;

/** Stay at the end while something grows there, unless the person has scrolled away. */
function useBottom(scroll: { current: HTMLElement | null }, content: { current: HTMLElement | null }, of: string, there: boolean) {
  const [away, set] = useState(false);
  const stuck = useRef(true);
  const down = () => {
    stuck.current = true;
    set(false);
    scroll.current?.scrollTo({ top: scroll.current.scrollHeight });
  };
  useEffect(() => {
    const place = scroll.current;
    if (!place || !content.current) return;
    down();
    let top = place.scrollTop;
    const moved = () => {
      const near = place.scrollHeight - place.scrollTop - place.clientHeight < NEAR;
      if (near) stuck.current = true;
      else if (place.scrollTop < top - 2) stuck.current = false; // upwards: by the person's hand
      top = place.scrollTop;
      set(!near && !stuck.current);
    };
    const watch = new ResizeObserver(() => stuck.current && place.scrollTo({ top: place.scrollHeight }));
    watch.observe(content.current);
    place.addEventListener("scroll", moved, { passive: true });
    return () => {
      watch.disconnect();
      place.removeEventListener("scroll", moved);
    };
  }, [of, there]);
  return { away, down };
}
