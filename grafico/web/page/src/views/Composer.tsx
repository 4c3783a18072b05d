/** Where a question is written: text, files and the model that is to plan. */

import { useEffect, useRef, useState } from "preact/hooks";
import { put, said } from "../api.ts";
import { server } from "../state/conversations.ts";
import { useCell } from "../state/cell.ts";
import { draft, insert, inserted, keepDraft } from "../state/draft.ts";
import { keep, kept } from "../state/kept.ts";
import { Molecule } from "../blocks/Molecule.tsx";
import { Folded } from "../blocks/Sections.tsx";
import type { Structure } from "../types.ts";
import { Draw } from "./Draw.tsx";
import { Sent, useTry, Wrong } from "./Wrong.tsx";

export interface Asked { text: string; files: string[]; model: string }

/** What was brought: what is told of it, and how it is drawn. */
interface Brought { name: string; note: string; structure?: Structure | null }

interface Uploaded extends Brought { state: "sending" | "there" | "failed" }

interface Props {
  of: string;
  busy: boolean;
  /** Return the key of the conversation, which a new one has only now. */
  key_of: () => Promise<string>;
  ask: (asked: Asked) => Promise<void>;
  stop: () => void;
}

const LARGEST = 50_000_000;

/** Bring a file into a conversation. */
export async function brought(of: string, file: File): Promise<Brought> {
  if (file.size > LARGEST) throw new Error(`it has ${Math.round(file.size / 1e6)} MB, and 50 MB is the most`);
  return put<Brought>(`files/${encodeURIComponent(of)}/${encodeURIComponent(file.name)}`, file);
}

/** A button that takes files. */
export function Adding({ label, many = false, take }: { label: string; many?: boolean; take: (files: File[]) => void }) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" onClick={() => picker.current?.click()}>{label}</button>
      <input ref={picker} type="file" multiple={many} hidden onChange={event => {
        event.stopPropagation();
        take([...(event.currentTarget.files ?? [])]);
        event.currentTarget.value = "";
      }} />
    </>
  );
}

export function Composer({ of, busy, key_of, ask, stop }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, write] = useState(draft(of));
  const [files, bring] = useState<Uploaded[]>([]);
  const [model, choose] = useState(() => kept("sessionStorage", "model"));
  const { trouble, busy: sending, attempt } = useTry();
  const state = useCell(server);
  useInserted(field, write);
  useEffect(() => keepDraft(of, text), [of, text]);
  useDropped(upload);

  async function upload(chosen: File[]): Promise<void> {
    for (const file of chosen) {
      const set = (one: Uploaded) => bring(old => [...old.filter(other => other.name !== one.name), one]);
      set({ name: file.name, state: "sending", note: "" });
      try {
        const kept = await brought(await key_of(), file);
        bring(old => old.filter(other => other.name !== file.name));
        set({ ...kept, state: "there" });
      } catch (error) {
        set({ name: file.name, state: "failed", note: said(error) });
      }
    }
  }

  async function submit(): Promise<void> {
    const asked = { text: text.trim(), files: files.filter(one => one.state === "there").map(one => one.name), model: model.trim() };
    if (!asked.text || busy || sending || files.some(one => one.state === "sending")) return;
    if (await attempt(() => ask(asked))) {
      write("");
      bring([]);
    }
    field.current?.focus();
  }

  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    void submit();
  };
  const onPaste = (event: ClipboardEvent) => {
    const pasted = [...(event.clipboardData?.files ?? [])];
    if (!pasted.length) return;
    event.preventDefault();
    void upload(pasted);
  };
  return (
    <Sent class="composer" send={() => void submit()}>
      <Wrong text={trouble} />
      {files.length ? (
        <ul class="chips" aria-label="Files">
          {files.map(one => (
            <li class={`chip ${one.state}`}>
              {one.name}{one.state === "sending" ? " …" : ""}{one.note ? <span class="note">: {one.note}</span> : null}
              <button type="button" class="plain" aria-label={`Leave out ${one.name}`} onClick={() => bring(old => old.filter(other => other !== one))}>×</button>
            </li>
          ))}
        </ul>
      ) : null}
      {files.map(({ name, structure }) => (structure ? <Folded key={name} title={`Look at ${name}`}>{() => <Molecule shown={structure} />}</Folded> : null))}
      <textarea
        ref={field} rows={1} value={text} aria-label="Your question" autofocus
        placeholder="Ask for a calculation, or about results…"
        onInput={event => write(event.currentTarget.value)} onKeyDown={onKey} onPaste={onPaste}
      />
      <div class="under">
        <Adding label="Add files" many take={files => void upload(files)} />
        <Draw done={insert} />
        <label class="model">Model <input list="models" value={model} placeholder={state?.model || "plain requests"} spellcheck={false} onInput={event => {
          choose(event.currentTarget.value);
          keep("sessionStorage", "model", event.currentTarget.value);
        }} /></label>
        <datalist id="models">{state?.models?.map(one => <option value={one} />)}</datalist>
        {busy ? <button type="button" class="main" onClick={stop}>Stop</button> : <button type="submit" class="main" disabled={!text.trim() || sending}>{sending ? "Sending…" : "Ask"}</button>}
      </div>
    </Sent>
  );
}

/** Other parts of the page put text into the field. */
function useInserted(field: { current: HTMLTextAreaElement | null }, write: (how: (old: string) => string) => void): void {
  const given = useCell(inserted);
  const first = useRef(given.turn);
  useEffect(() => {
    if (given.turn === first.current) return;
    first.current = given.turn;
    write(old => (given.whole ? given.text : old && !/\s$/.test(old) ? `${old} ${given.text}` : old + given.text));
    field.current?.focus();
    field.current?.scrollIntoView({ block: "nearest" });
  }, [given]);
}

/** Files may be dropped anywhere on the page. */
export function useDropped(take: (files: File[]) => Promise<unknown>): void {
  const now = useRef(take);
  now.current = take;
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      document.body.classList.add("dropping");
    };
    const out = (event: DragEvent) => event.relatedTarget || document.body.classList.remove("dropping");
    const drop = (event: DragEvent) => {
      document.body.classList.remove("dropping");
      if (!event.dataTransfer?.files.length) return;
      event.preventDefault();
      void now.current([...event.dataTransfer.files]);
    };
    const stop = new AbortController();
    addEventListener("dragover", over, stop);
    addEventListener("dragleave", out, stop);
    addEventListener("drop", drop, stop);
    return () => stop.abort();
  }, []);
}
