/** Any object of the graph: its blocks, what it rests on, and what can be done with it. */

import { useEffect, useState } from "preact/hooks";
import { post, said } from "../api.ts";
import { Folded, Shown } from "../blocks/Sections.tsx";
import { kindOf, short, toConversation } from "../iri.ts";
import { edit } from "../state/draft.ts";
import { thing, useFetched } from "../state/fetched.ts";
import { RestsView } from "./RestsView.tsx";
import { Way } from "./RunView.tsx";
import { Wrong } from "./Wrong.tsx";

export function ObjectView({ iri }: { iri: string }) {
  const found = useFetched(iri, () => thing(iri));
  const [trouble, wrong] = useState("");
  const one = found.value;
  useEffect(() => {
    document.title = `${one?.title ?? kindOf(iri)} – Grafico`;
  }, [one]);
  const resume = async () => {
    try {
      const { key } = await post<{ key: string }>("conversations");
      await post("resume", { key, run: iri });
      location.hash = toConversation(key);
    } catch (error) {
      wrong(said(error));
    }
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
        {one?.run && (one.tone === "unmet" || one.tone === "open") ? <button type="button" onClick={() => void resume()}>Go on with it</button> : null}
        <code class="iri">{short(iri)}</code>
      </p>
      <Wrong text={found.trouble || trouble} again={found.trouble ? found.again : undefined} />
      {one ? <Shown thing={one} /> : found.trouble ? null : <div class="waiting" role="status" aria-label="Loading" />}
      {one?.steps ? <Way run={iri} /> : null}
      {one ? <Folded title="What it rests on" level="all">{() => <RestsView iri={iri} />}</Folded> : null}
    </div>
  );
}
