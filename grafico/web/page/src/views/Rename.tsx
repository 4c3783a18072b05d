/** Give a conversation another name. */

import { useRef, useState } from "preact/hooks";
import { post, said } from "../api.ts";
import { Wrong } from "./Wrong.tsx";

export function Rename({ of, name }: { of: string; name: string }) {
  const box = useRef<HTMLDialogElement>(null);
  const [text, write] = useState("");
  const [trouble, wrong] = useState("");
  const open = () => {
    write(name);
    wrong("");
    box.current?.showModal();
  };
  const save = () => post("rename", { key: of, name: text.trim() }).then(() => box.current?.close(), error => wrong(said(error)));
  return (
    <>
      <button type="button" class="link" onClick={open}>Rename</button>
      <dialog ref={box} aria-labelledby="rename-title">
        <form
          onSubmit={event => {
            event.preventDefault();
            if (text.trim()) void save();
          }}
        >
          <h2 id="rename-title">Rename this conversation</h2>
          <label>Name <input value={text} onInput={event => write(event.currentTarget.value)} /></label>
          <Wrong text={trouble} />
          <p class="buttons">
            <button type="submit" class="main">Rename</button>
            <button type="button" onClick={() => box.current?.close()}>Cancel</button>
          </p>
        </form>
      </dialog>
    </>
  );
}
