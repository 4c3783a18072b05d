/** Atoms in space: turned, labelled and measured. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { download, said, saveAs } from "../api.ts";
import { short } from "../iri.ts";
import { server } from "../state/conversations.ts";
import { useCell } from "../state/cell.ts";
import { insert } from "../state/draft.ts";
import { colours } from "../state/theme.ts";
import type { Field, Motion } from "../types.ts";
import { Curve } from "./Curve.tsx";
import { measured, named } from "./measure.ts";
import { useSeen } from "./Seen.tsx";
import { Surfaces } from "./Surfaces.tsx";
import { giveBack, lend, xyz, type Scene, type Stage } from "./viewer.ts";

const TURN = 12;

export interface Shown extends Scene { title: string; iri?: string; note?: string; motions?: Motion[]; axes?: [string, string] }

/** Which motion is shown, where more than the molecule says so. */
export interface Moved { at: number; move: (motion: number) => void }

/** Whoever asks for a picture gets it as soon as there is one, or why there is none. */
export interface Asker { id: string; take: (picture: string) => void }

/** Lend a viewer while the place is near the screen; the way it was turned stays. */
function useStage(scene: Scene, choose: (atom: number) => void) {
  const { ref, near } = useSeen<HTMLDivElement>();
  const [stage, set] = useState<Stage | null>(null);
  const [trouble, wrong] = useState("");
  const view = useRef<ReturnType<Stage["view"]>>(undefined);
  const now = useRef({ scene, choose });
  now.current = { scene, choose };
  useEffect(() => {
    if (!near || !ref.current) return;
    let left = false;
    let mine: Stage | null = null;
    lend(ref.current).then(
      lent => {
        if (left) return giveBack(lent);
        mine = lent;
        lent.onChoose = atom => now.current.choose(atom);
        lent.show(now.current.scene, view.current);
        set(lent);
      },
      error => left || wrong(error instanceof TypeError && /import/.test(error.message) ? said(error) : "The molecule cannot be drawn: this browser has no WebGL, or it is switched off."),
    );
    return () => {
      left = true;
      set(null);
      if (!mine) return;
      view.current = mine.view();
      giveBack(mine);
    };
  }, [near]);
  useEffect(() => stage?.show(scene, "kept"), [scene.positions]);
  const [shade] = [useCell(colours)];
  useEffect(() => stage?.recolour(), [shade]);
  return { ref, stage, trouble };
}

const NONE = new Map<number, string>();
interface Props { shown: Shown; live?: boolean; labels?: Map<number, string>; asker?: Asker; moved?: Moved; of?: string; surfaces?: Field[] }

export function Molecule({ shown, live = false, labels = NONE, asker, moved, of = "", surfaces = [] }: Props) {
  const { symbols, positions, motions = [] } = shown;
  const [chosen, choose] = useState<number[]>([]);
  const [numbered, number] = useState(false);
  const [own, moveOwn] = useState(-1);
  const { at: moving, move } = moved ?? { at: own, move: moveOwn };
  const toggle = (atom: number) => {
    if (atom < 0) return;
    choose(old => (old.includes(atom) ? old.filter(one => one !== atom) : [...old.slice(old.length === 4 ? 4 : 0), atom]));
  };
  const { ref, stage, trouble } = useStage(shown, toggle);
  useEffect(() => stage?.choose(chosen, numbered, labels), [stage, chosen, numbered, labels]);
  useEffect(() => {
    if (asker && (stage || trouble)) asker.take(stage ? stage.picture() : trouble);
  }, [stage, trouble, asker?.id]);
  useEffect(() => {
    if (stage && motions.length) stage.move(motions[moving] ?? null);
  }, [stage, moving]);
  const onKey = (event: KeyboardEvent) => {
    const turns: Record<string, () => void> = {
      ArrowLeft: () => stage?.turn(-TURN, "y"),
      ArrowRight: () => stage?.turn(TURN, "y"),
      ArrowUp: () => stage?.turn(-TURN, "x"),
      ArrowDown: () => stage?.turn(TURN, "x"),
      "+": () => stage?.zoom(1.15),
      "-": () => stage?.zoom(1 / 1.15),
      "0": () => stage?.show(shown),
    };
    const turn = turns[event.key];
    if (!turn || event.target !== event.currentTarget) return;
    event.preventDefault();
    turn();
  };
  const said = measured(chosen, symbols, positions);
  return (
    <figure class="molecule">
      <div
        class="atoms"
        ref={ref}
        tabIndex={0}
        role="application"
        aria-roledescription="molecule"
        aria-label={`${shown.title || "Structure"}, ${symbols.length} atoms. Arrow keys turn it, plus and minus zoom, 0 turns it back.`}
        onKeyDown={onKey}
      />
      {trouble ? <p class="wrong">{trouble}</p> : null}
      <div class="tools">
        <label><input type="checkbox" checked={numbered} onChange={event => number(event.currentTarget.checked)} /> Atom numbers</label>
        <Chooser count={symbols.length} chosen={chosen} choose={choose} />
        {motions.length ? (
          <label>
            Shown moving{" "}
            <select value={moving} onChange={event => move(Number(event.currentTarget.value))}>
              <option value={-1}>none</option>
              {motions.map((one, n) => <option value={n}>{one.label}</option>)}
            </select>
          </label>
        ) : null}
        {live ? null : <Save shown={shown} of={of} />}
      </div>
      <p class="measured" role="status">
        {said}{" "}
        {said && shown.iri ? (
          <button type="button" class="link" onClick={() => insert(`${named(chosen)} of ${short(shown.iri ?? "")} `)}>Ask about these</button>
        ) : null}
      </p>
      {shown.axes ? <Spectrum motions={motions} axes={shown.axes} at={moving} move={move} /> : null}
      {surfaces.length ? <Surfaces stage={stage} of={of} fields={surfaces} positions={positions} /> : null}
      {shown.note ? <figcaption>{shown.note}</figcaption> : null}
    </figure>
  );
}

/** The lines of motions; a click sets the nearest in motion. */
function Spectrum({ motions, axes, at, move }: { motions: Motion[]; axes: [string, string] } & Moved) {
  const line = useMemo(() => ({ x: motions.map(one => one.at ?? 0), y: motions.map(one => one.strength ?? 0), xLabel: axes[0], yLabel: axes[1], sticks: true }), [motions]);
  return <Curve line={line} at={at} onPick={move} title={`Spectrum of ${motions.length} lines; choose one in the list`} />;
}

/** Atoms chosen by their numbers, for hands that hold no mouse. */
function Chooser({ count, chosen, choose }: { count: number; chosen: number[]; choose: (atoms: number[]) => void }) {
  const take = (text: string) => {
    const numbers = (text.match(/\d+/g) ?? []).map(one => Number(one) - 1).filter(one => one >= 0 && one < count);
    choose([...new Set(numbers)].slice(0, 4));
  };
  return (
    <label title="Two atoms give a distance, three an angle, four a dihedral. Or click them.">
      Measure atoms <input class="few" inputMode="numeric" placeholder="1 2 3" value={chosen.map(one => one + 1).join(" ")} onChange={event => take(event.currentTarget.value)} />
    </label>
  );
}

function Save({ shown, of }: { shown: Shown; of: string }) {
  const formats = useCell(server)?.formats ?? [];
  const [format, pick] = useState("xyz");
  const [trouble, wrong] = useState("");
  const name = (shown.title.normalize("NFKC").replace(/[^A-Za-z0-9]+/g, "") || "structure").slice(0, 60);
  const save = () => {
    wrong("");
    if (!shown.iri) return saveAs(`${name}.xyz`, new Blob([xyz(shown.symbols, shown.positions, shown.title)]));
    download(`${name}.${format}`, "structure", { iri: shown.iri, of: of || undefined, format }).catch((error: Error) => wrong(error.message));
  };
  return (
    <span class="save">
      {shown.iri && formats.length > 1 ? (
        <select aria-label="Format of the file" value={format} onChange={event => pick(event.currentTarget.value)}>
          {[...new Set(["xyz", ...formats])].map(one => <option value={one}>{one}</option>)}
        </select>
      ) : null}
      <button type="button" onClick={save}>Download{formats.length > 1 && shown.iri ? "" : " XYZ"}</button>
      {trouble ? <span class="wrong" role="alert">{trouble}</span> : null}
    </span>
  );
}
