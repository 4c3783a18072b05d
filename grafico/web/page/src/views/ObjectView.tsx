/** Any object of the graph: its blocks, what it rests on, and what can be done with it. */

import { post } from "../api.ts";
import { Folded, Shown } from "../blocks/Sections.tsx";
import { kindOf, short, toConversation } from "../iri.ts";
import { fresh } from "../state/conversations.ts";
import { edit } from "../state/draft.ts";
import { forget, thing, useFetched } from "../state/fetched.ts";
import { Prompt } from "./Prompt.tsx";
import { RestsView } from "./RestsView.tsx";
import { canGoOn, Way } from "./RunView.tsx";
import { Found, useTitle, useTry, Wrong } from "./Wrong.tsx";

export function ObjectView({ iri }: { iri: string }) {
  const found = useFetched(iri, () => thing(iri));
  const { trouble, busy, attempt } = useTry();
  const one = found.value;
  useTitle(one?.title ?? kindOf(iri));
  const withdraw = async (said: { why: string } | { undo: true }) => {
    await post("withdraw", { run: iri, ...said });
    forget(iri);
    found.again();
  };
  const resume = async () => {
    const key = await fresh();
    await post("resume", { key, run: iri });
    location.hash = toConversation(key);
  };
  const ask = () => {
    location.hash = "#/";
    setTimeout(() => edit(`${short(iri)} `), 50);
  };
  return (
    <div class="place object">
      <h1>{one ? one.title : kindOf(iri)}{one?.subtitle ? <span class="unit"> {one.subtitle}</span> : null}</h1>
      {one?.asked ? <p class="asked">{one.asked}{one.status ? <>: <span class={one.tone ?? "open"}>{one.status}</span></> : null}</p> : null}
      <p class="buttons">
        <button type="button" onClick={ask}>Ask about it</button>
        {one && canGoOn(one) ? <button type="button" disabled={busy} onClick={() => void attempt(resume)}>Go on with it</button> : null}
        {one?.talk ? <button type="button" disabled={busy} onClick={() => void attempt(() => post("stop", { key: one.talk }))}>Stop it</button> : null}
        {!one?.run || one.tone === "open" ? null : one.status === "withdrawn" ? (
          <button type="button" disabled={busy} onClick={() => void attempt(() => withdraw({ undo: true }))}>Take it back into use</button>
        ) : (
          <Prompt button="Withdraw…" title="Say that this is not to be relied upon" label="Why" done={why => withdraw({ why })} />
        )}
        <code class="iri">{short(iri)}</code>
      </p>
      <Wrong text={trouble} />
      <Found of={found}>
        {shown => (
          <>
            <Shown thing={shown} />
            <Way run={iri} count={shown.steps} />
            <Folded title="What it rests on" level="all">{() => <RestsView iri={iri} />}</Folded>
          </>
        )}
      </Found>
    </div>
  );
}
