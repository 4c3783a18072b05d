/** A button that asks for a line of text, and does something with it. */

import { useRef, useState } from "preact/hooks";
import { Sent, useTry, Wrong } from "./Wrong.tsx";

interface Props { button: string; title: string; label: string; text?: string; link?: boolean; done: (text: string) => Promise<unknown> }

export function Prompt({ button, title, label, text: given = "", link = false, done }: Props) {
  const box = useRef<HTMLDialogElement>(null);
  const [text, write] = useState("");
  const { trouble, busy, attempt } = useTry();
  const open = () => {
    write(given);
    box.current?.showModal();
  };
  const save = async () => {
    if (text.trim() && (await attempt(() => done(text.trim())))) box.current?.close();
  };
  return (
    <>
      <button type="button" class={link ? "link" : ""} onClick={open}>{button}</button>
      <dialog ref={box} aria-label={title}>
        <Sent send={() => void save()}>
          <h2>{title}</h2>
          <label>{label} <input value={text} onInput={event => write(event.currentTarget.value)} /></label>
          <Wrong text={trouble} />
          <p class="buttons">
            <button type="submit" class="main" disabled={busy}>{button.replace("…", "")}</button>
            <button type="button" onClick={() => box.current?.close()}>Cancel</button>
          </p>
        </Sent>
      </dialog>
    </>
  );
}
