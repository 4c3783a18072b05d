/** A calculation without words: a form made from the definition of what can be asked. */

import { useEffect, useRef, useState } from "preact/hooks";
import { get, post } from "../api.ts";
import { capital } from "../blocks/numbers.ts";
import { toConversation } from "../iri.ts";
import { fresh } from "../state/conversations.ts";
import { useFetched } from "../state/fetched.ts";
import type { Form, Plan, Value } from "../types.ts";
import { Adding, brought, useDropped } from "./Composer.tsx";
import { Draw } from "./Draw.tsx";
import { applies, FieldView, type Given } from "./FieldView.tsx";
import { Found, Sent, useTitle, useTry, Wrong } from "./Wrong.tsx";

export function FormView() {
  const found = useFetched("forms", signal => get<{ rows: Form[] }>("forms", {}, signal));
  const [name, choose] = useState("");
  useTitle("Fill in a form");
  return (
    <div class="place">
      <h1>Fill in a form</h1>
      <Found of={found}>
        {({ rows }) => {
          const form = rows.find(one => one.name === name) ?? rows[0];
          return form ? (
            <>
              <label class="field">What is to be done
                <select value={form.name} onChange={event => choose(event.currentTarget.value)}>
                  {rows.map(one => <option value={one.name}>{one.title}</option>)}
                </select>
              </label>
              <Filled key={form.name} form={form} />
            </>
          ) : null;
        }}
      </Found>
    </div>
  );
}

function Filled({ form }: { form: Form }) {
  const [subject, of] = useState("");
  const [given, give] = useState<Given>({});
  const [turn, settle] = useState(0);
  const key = useRef<Promise<string>>(undefined);
  const [told, tell] = useState<{ asked: string; plan: Plan } | null>(null);
  const { trouble, busy, attempt } = useTry();
  const planning = useTry(); // apart: a button that is pressed stays where it is
  const fields = form.fields.filter(one => applies(one, given, form.fields));
  const [usual, rare] = [fields.filter(one => !one.rare), fields.filter(one => one.rare)];
  const names = new Set(fields.map(one => one.name));
  const shown = Object.fromEntries(Object.entries(given).filter(([name]) => names.has(name)));
  const request = { workflow: form.name, subjects: subject.trim() ? [subject.trim()] : [], arguments: shown };
  const asked = JSON.stringify(request);
  const set = (name: string, value: Value | string[]) => give(old => ({ ...old, [name]: value }));
  const theKey = () => (key.current ??= fresh());
  const look = () => planning.attempt(async () => tell({ asked, plan: await post<Plan>("plan", { key: await theKey(), request }) }));
  const name = (text: string) => (of(text), settle(turn + 1));
  const bring = ([file]: File[]) => attempt(async () => file && name((await brought(await theKey(), file)).name));
  useDropped(bring);
  const compute = () => attempt(async () => {
    await post("ask", { key: await theKey(), request });
    location.hash = toConversation(await theKey());
  });
  useEffect(() => {
    if (turn && (subject.trim() || !form.subject.asked) && told?.asked !== asked) void look();
  }, [turn]); // whenever a field has been left, not at every letter
  return (
    <Sent class="filled" send={() => void compute()}>
      <div onChange={() => settle(turn + 1)}>
        <p class="note">{form.help}</p>
        {form.subject.asked ? (
          <label class="field">{capital(form.subject.name)}
            <input value={subject} required aria-describedby="subject-help" onInput={event => of(event.currentTarget.value)} />
            <span class="note" id="subject-help">{form.subject.help}</span>
          </label>
        ) : null}
        {form.subject.asked ? <p class="buttons">
          {form.subject.drawn ? <Draw start={subject} done={name} /> : null}
          <Adding label="Add a file" take={files => void bring(files)} />
        </p> : null}
        <div class="grid">{usual.map(one => <FieldView field={one} value={given[one.name]} set={set} />)}</div>
        {rare.length ? <details><summary>More settings ({rare.length})</summary><div class="grid">{rare.map(one => <FieldView field={one} value={given[one.name]} set={set} />)}</div></details> : null}
        <Wrong text={trouble} />
        <p class="buttons">
          <button type="button" onClick={() => void look()} disabled={planning.busy}>What would it do?</button>
          <button type="submit" class="main" disabled={busy}>Compute</button>
        </p>
      </div>
      <section class="card open" aria-label="What it would do" aria-live="polite" aria-busy={planning.busy}>
        <Wrong text={planning.trouble} />
        {told?.asked === asked ? <Planned plan={told.plan} /> : planning.trouble ? null : <p class="note">What it would do, how long that takes, and the same as a command and in Python stand here before anything runs.</p>}
      </section>
    </Sent>
  );
}

function Planned({ plan }: { plan: Plan }) {
  return (
    <>
      {plan.plans.map(one => (
        <>
          <h3>{one.label}</h3>
          {one.steps.length ? <ol>{one.steps.map(step => <li>{step}</li>)}</ol> : null}
          {one.estimate ? <p>It takes {one.estimate}.</p> : null}
          {one.remarks.map(text => <p class="note">{text}</p>)}
        </>
      ))}
      <p class="note">The same on the command line, and in Python:</p>
      <pre tabIndex={0}>{plan.command}</pre>
      <pre tabIndex={0}>{plan.python}</pre>
    </>
  );
}
