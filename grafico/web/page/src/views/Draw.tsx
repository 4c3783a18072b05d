/** A molecule that is drawn, as SMILES. The editor comes when it is first opened. */

import { useRef } from "preact/hooks";
import type { CanvasEditor } from "openchemlib";
import { useTry, Wrong } from "./Wrong.tsx";

export function Draw({ start = "", done }: { start?: string; done: (smiles: string) => void }) {
  const box = useRef<HTMLDialogElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<CanvasEditor>(undefined);
  const { trouble, busy, attempt } = useTry();
  const open = async () => {
    const { CanvasEditor, Molecule } = await import("openchemlib");
    box.current?.showModal();
    if (!place.current) return;
    editor.current ??= new CanvasEditor(place.current);
    try {
      editor.current.setMolecule(Molecule.fromSmiles(start));
    } catch {
      editor.current.setMolecule(new Molecule(32, 32)); // what stands there is no SMILES
    }
  };
  const take = () => {
    const smiles = editor.current?.getMolecule().toIsomericSmiles();
    box.current?.close();
    if (smiles) done(smiles);
  };
  return (
    <>
      <button type="button" disabled={busy} onClick={() => void attempt(open)}>Draw</button>
      <Wrong text={trouble} />
      <dialog ref={box} class="large" aria-label="Draw a molecule">
        <div class="drawing" ref={place} role="application" aria-label="Drawing; a name or a SMILES in the field says the same" />
        <p class="buttons">
          <button type="button" class="main" onClick={take}>Use it</button>
          <button type="button" onClick={() => box.current?.close()}>Cancel</button>
        </p>
      </dialog>
    </>
  );
}
