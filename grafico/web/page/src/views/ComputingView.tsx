/** What is under way: what was asked here, who computes on this machine, and jobs elsewhere or later. */

import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { get, post } from "../api.ts";
import { Name } from "../blocks/Name.tsx";
import { toConversation } from "../iri.ts";
import { fresh } from "../state/conversations.ts";
import { useFetched } from "../state/fetched.ts";
import { Grid } from "./Grid.tsx";
import { Since } from "./Since.tsx";
import { useTitle, useTry, Wrong } from "./Wrong.tsx";

interface Slot { token: string; what: string; since: string; state: string }
interface Asked { key: string; question: string; started: string; runs: string[] }
interface Job { job: string; state: string; subject?: string; goal?: string; on?: string; run?: string; why?: string[]; ended: boolean }

const EVERY = 3000;
/** Clusters are not asked each time. */
const SELDOM = 5;

export function ComputingView() {
  const now = useFetched("computing", signal => get<{ rows: Slot[]; asked: Asked[] }>("computing", {}, signal));
  const jobs = useFetched("jobs", signal => get<{ rows: Job[] }>("jobs", {}, signal));
  const { trouble, busy, attempt } = useTry();
  useTitle("What computes now");
  useEffect(() => {
    let count = 0;
    const tick = setInterval(() => {
      if (document.visibilityState !== "visible") return;
      now.again();
      if (++count % SELDOM === 0) jobs.again();
    }, EVERY);
    return () => clearInterval(tick);
  }, []);
  const act = (label: string, name: string, what: () => Promise<unknown>, after = now.again) => (
    <button type="button" class="link" disabled={busy} aria-label={`${label}: ${name}`} onClick={() => void attempt(what).then(after)}>{label}</button>
  );
  const resume = async (job: string) => {
    const key = await fresh();
    await post("resume", { key, run: job });
    location.hash = toConversation(key);
  };
  const slots = now.value?.rows ?? [];
  const asked = now.value?.asked ?? [];
  const rows = jobs.value?.rows ?? [];
  return (
    <div class="place">
      <h1>What computes now</h1>
      <Wrong text={trouble || now.trouble} again={now.again} />
      {now.value && !asked.length && !slots.length ? <p class="note" role="status">Nothing at the moment.</p> : null}
      <Part title="Asked on this page" heads={["Question", "Runs", "For", ""]} rows={asked.map(one => ({
        key: one.key,
        cells: [<a href={toConversation(one.key)}>{one.question}</a>, names(one.runs), <Since time={one.started} />, act("Stop", one.question, () => post("stop", { key: one.key }))],
      }))} />
      <Part title="On this machine" heads={["What", "State", "Where", "For"]} rows={slots.map(one => ({
        key: one.token, cells: [one.what, one.state, one.token.replace(/^\d.*/, ""), <Since time={one.since} />],
      }))} />
      <Wrong text={jobs.trouble} again={jobs.again} />
      <Part title="Jobs, elsewhere or later" heads={["Job", "Of what", "State", "On", "Run", ""]} rows={rows.map(one => ({
        key: one.job,
        cells: [
          one.job, [one.subject, one.goal].filter(Boolean).join(": "), [one.state, ...(one.why ?? [])].join(": "), one.on ?? "", one.run ? <Name text={one.run} /> : "–",
          one.ended ? (one.state === "finished" ? "" : act("Go on with it", one.job, () => resume(one.job))) : act("Cancel", one.job, () => post("cancel", { job: one.job }), jobs.again),
        ],
      }))} />
    </div>
  );
}

function names(iris: string[]): ComponentChildren {
  return iris.length ? iris.map((iri, n) => <>{n ? ", " : ""}<Name text={iri} /></>) : "–";
}

function Part({ title, ...table }: { title: string; heads: string[]; rows: { key: string; cells: ComponentChildren[] }[] }) {
  return table.rows.length ? <section><h2 class="section">{title}</h2><Grid label={title} {...table} /></section> : null;
}
