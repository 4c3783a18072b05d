/** Give a conversation another name. */

import { useRef, useState } from "preact/hooks";
import { post } from "../api.ts";
import { Sent, useTry, Wrong } from "./Wrong.tsx";

export function Rename({ of, name }: { of: string; name: string }) {
  const box = useRef<HTMLDialogElement>(null);
  const [text, write] = useState("");
  const { trouble, attempt } = useTry();
  const open = () => {
    write(name);
    box.current?.showModal();
  };
  const save = async () => {
    if (text.trim() && (await attempt(() => post("rename", { key: of, name: text.trim() })))) box.current?.close();
  };
  return (
    <>
      <button type="button" class="link" onClick={open}>Rename</button>
      <dialog ref={box} aria-labelledby="rename-title">
        <Sent send={() => void save()}>
          <h2 id="rename-title">Rename this conversation</h2>
          <label>Name <input value={text} onInput={event => write(event.currentTarget.value)} /></label>
          <Wrong text={trouble} />
          <p class="buttons">
            <button type="submit" class="main">Rename</button>
            <button type="button" onClick={() => box.current?.close()}>Cancel</button>
          </p>
        </Sent>
      </dialog>
    </>
  );
}
