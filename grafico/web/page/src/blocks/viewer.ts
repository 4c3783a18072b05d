/** Molecules by 3Dmol: a few viewers that are lent to what is on the screen. */

import type { GLShape, GLViewer, VolumeData } from "3dmol";
import { colour } from "../state/theme.ts";
import type { Motion, Point } from "../types.ts";

export interface Scene {
  symbols: string[]; positions: Point[]; bonds?: [number, number, number][]; cell?: Point[];
}

type Library = typeof import("3dmol");
type Viewed = ReturnType<GLViewer["getView"]>;

/** Atoms up to which balls and sticks are drawn; beyond, lines. */
const MANY = 1500;
const WIDEST = 800;
const free: Stage[] = [];
const parked = Object.assign(document.createElement("div"), { id: "parked", ariaHidden: "true" });
document.body.append(parked);

let library: Promise<Library> | null = null;

/** A viewer with its canvas, which is put where it is wanted. */
export class Stage {
  readonly host = document.createElement("div");
  readonly #viewer: GLViewer;
  readonly #made: Library;
  #cube = "";
  #volume: VolumeData | null = null;
  #surfaces: GLShape[] = [];
  #chosen: number[] = [];
  #numbered = false;
  #labels = new Map<number, string>();
  #drawn: GLShape[] = [];
  #scene: Scene = { symbols: [], positions: [] };
  onChoose: (atom: number) => void = () => {};

  constructor(made: Library, place: HTMLElement) {
    this.host.className = "stage";
    place.append(this.host);
    this.#made = made;
    this.#viewer = made.createViewer(this.host, { backgroundColor: colour("tint"), antialias: true, disableFog: true }) as GLViewer;
    // The page scrolls over a molecule, until the molecule has been clicked.
    const held = (event: WheelEvent) => {
      if (!event.ctrlKey && !this.host.parentElement?.matches(":focus-within")) event.stopPropagation();
    };
    this.host.addEventListener("wheel", held, { capture: true, passive: true });
  }

  show(scene: Scene, view?: Viewed | "kept"): void {
    const held = view === "kept" ? this.#viewer.getView() : view;
    this.#viewer.stopAnimate();
    const moved = held && !scene.bonds && scene.symbols === this.#scene.symbols && scene.symbols.length > MANY;
    this.#scene = scene;
    if (moved) this.#shift();
    else this.#build();
    if (held) this.#viewer.setView(held);
    else {
      this.#viewer.zoomTo();
      this.#viewer.zoom(1.2);
    }
    this.#marks();
    this.#render();
  }

  /** Many atoms only change their places: their bonds are looked for once. */
  #shift(): void {
    const model = this.#viewer.getModel();
    for (const atom of model.selectedAtoms({})) [atom.x, atom.y, atom.z] = this.#scene.positions[atom.index ?? 0] ?? [0, 0, 0];
    model.addAtoms([]); // so that it is drawn anew
  }

  #build(): void {
    this.#viewer.removeAllModels();
    const { symbols, positions, bonds } = this.#scene;
    if (bonds) {
      const model = this.#viewer.addModel();
      model.addAtoms(atoms(this.#scene));
      model.addFrame(model.selectedAtoms({})); // without a frame it cannot swing
    } else this.#viewer.addModel(xyz(symbols, positions), "xyz");
    const many = symbols.length > MANY; // these are chosen by their numbers
    this.#viewer.setStyle({}, many ? { line: {} } : { stick: { radius: 0.11 }, sphere: { scale: 0.24 } });
    if (!many) this.#viewer.setClickable({}, true, (atom: { index?: number }) => this.onChoose(atom.index ?? -1));
  }

  choose(chosen: number[], numbered: boolean, labels: Map<number, string>): void {
    this.#chosen = chosen;
    this.#numbered = numbered;
    this.#labels = labels;
    this.#marks();
    this.#render();
  }

  /** Let atoms swing as a motion says, or stand still. */
  move(motion: Motion | null): void {
    this.show(this.#scene, "kept");
    if (!motion) return;
    this.#viewer.removeAllLabels();
    const shifted = this.#viewer.getModel().selectedAtoms({}) as (Record<string, unknown> & { index: number })[];
    for (const atom of shifted) {
      const [dx, dy, dz] = motion.shifts[atom.index] ?? [0, 0, 0];
      Object.assign(atom, { dx, dy, dz, properties: { dx, dy, dz } });
    }
    this.#viewer.vibrate(8, 1, true, undefined as never);
    this.#viewer.animate({ loop: "backAndForth", interval: 40, reps: 0 });
  }

  /** Draw where a function, as a cube file, has a level; 0 takes the usual one. Return the level. */
  surface(cube: string, level: number): number {
    for (const one of this.#surfaces) this.#viewer.removeShape(one);
    this.#surfaces = [];
    if (cube !== this.#cube) this.#volume = cube ? new this.#made.VolumeData(cube, "cube") : null;
    this.#cube = cube;
    const volume = this.#volume;
    let used = level;
    if (volume) {
      let [low, high] = [0, 0];
      for (const value of volume.data) [low, high] = [Math.min(low, value), Math.max(high, value)];
      const signed = low < -1e-3 * high; // else it is rounding
      used ||= Math.min(signed ? 0.05 : 0.02, Math.max(high, -low) / 2);
      const add = (isoval: number, color: string) => this.#surfaces.push(this.#viewer.addIsosurface(volume, { isoval, color, opacity: 0.7, smoothness: 4 }));
      add(used, "#3b6fd4");
      if (signed) add(-used, "#d4483b");
    }
    this.#render();
    return used;
  }

  turn = (angle: number, axis: "x" | "y" | "z"): unknown => this.#viewer.rotate(angle, axis);
  zoom = (factor: number): unknown => this.#viewer.zoom(factor);
  view = (): Viewed => this.#viewer.getView();

  recolour(): void {
    this.#viewer.setBackgroundColor(colour("tint"), 1);
    this.#marks();
    this.#render();
  }

  resize(): void {
    this.#viewer.resize();
    this.#render();
  }

  #render(): void {
    if (this.host.clientWidth && this.host.clientHeight) this.#viewer.render();
  }

  clear(): void {
    parked.append(this.host); // with a size: a canvas of none cannot be drawn
    this.#viewer.resize();
    this.#viewer.stopAnimate();
    this.#viewer.clear();
    this.#chosen = [];
    this.#numbered = false;
    this.#labels = new Map();
    [this.#drawn, this.#surfaces, this.#cube, this.#volume] = [[], [], "", null];
    this.onChoose = () => {};
  }

  /** Take a picture as it is seen, no wider than `WIDEST`. */
  picture(): string {
    this.#viewer.render();
    const seen = this.host.querySelector("canvas") as HTMLCanvasElement;
    const scale = Math.min(1, WIDEST / seen.width);
    const copy = Object.assign(document.createElement("canvas"), { width: seen.width * scale, height: seen.height * scale });
    copy.getContext("2d")?.drawImage(seen, 0, 0, copy.width, copy.height);
    return copy.toDataURL("image/png");
  }

  /** Numbers and labels of atoms, chosen ones with lines between them, and the edges of the cell. */
  #marks(): void {
    const { positions, cell } = this.#scene;
    this.#viewer.removeAllLabels();
    for (const shape of this.#drawn) this.#viewer.removeShape(shape);
    this.#drawn = [];
    const ink = colour("ink");
    const text = { fontSize: 13, fontColor: ink, backgroundOpacity: 0, inFront: true, alignment: "center" as never };
    const tag = { backgroundColor: colour("paper"), backgroundOpacity: 0.85, alignment: "bottomLeft" as never, screenOffset: { x: 8, y: 8 } as never };
    positions.forEach((at, n) => {
      const label = this.#labels.get(n);
      if (label) this.#viewer.addLabel(label, { ...text, ...tag, position: vector(at) });
      else if (this.#numbered || this.#chosen.includes(n)) this.#viewer.addLabel(String(n + 1), { ...text, position: vector(at) });
    });
    const chosen = this.#chosen.map(n => positions[n]).filter(one => one !== undefined);
    const accent = colour("accent");
    const draw = (shape: GLShape) => this.#drawn.push(shape);
    const ball = (at: Point | undefined, color: string) => at && draw(this.#viewer.addSphere({ center: vector(at), radius: 0.5, color, alpha: 0.45 }));
    for (const n of this.#labels.keys()) ball(positions[n], colour("warn"));
    for (const at of chosen) ball(at, accent);
    chosen.slice(1).forEach((at, n) => {
      const from = chosen[n];
      if (from) draw(this.#viewer.addCylinder({ start: vector(from), end: vector(at), radius: 0.04, color: accent, dashed: true } as never));
    });
    for (const [start, end] of edges(cell)) draw(this.#viewer.addLine({ start: vector(start), end: vector(end), color: ink } as never));
  }
}

/** Lend a viewer and put it there. */
export async function lend(place: HTMLElement): Promise<Stage> {
  library ??= import("3dmol/build/3Dmol.es6-min.js");
  const made = await library.catch(error => {
    library = null; // it is asked for again
    throw error;
  });
  const stage = free.pop();
  if (!stage) return new Stage(made, place);
  place.append(stage.host);
  stage.recolour();
  stage.resize();
  return stage;
}

export function giveBack(stage: Stage): void {
  stage.clear();
  free.push(stage);
}

function vector([x, y, z]: Point): { x: number; y: number; z: number } {
  return { x, y, z };
}

function atoms({ symbols, positions, bonds = [] }: Scene) {
  const made = symbols.map((elem, index) => {
    const [x, y, z] = positions[index] ?? [0, 0, 0];
    return { elem, x, y, z, index, serial: index, bonds: [] as number[], bondOrder: [] as number[] };
  });
  for (const [a, b, order] of bonds) {
    const drawn = Math.min(3, Math.max(1, Math.floor(order || 1)));
    for (const [from, to] of [[a, b], [b, a]] as const) {
      made[from]?.bonds.push(to);
      made[from]?.bondOrder.push(drawn);
    }
  }
  return made;
}

export function xyz(symbols: string[], positions: Point[], comment = ""): string {
  const rows = symbols.map((one, n) => `${one} ${(positions[n] ?? [0, 0, 0]).map(x => x.toFixed(8)).join(" ")}`);
  return [symbols.length, comment, ...rows, ""].join("\n");
}

function edges(cell?: Point[]): [Point, Point][] {
  const [a, b, c] = cell ?? [];
  if (!a || !b || !c) return [];
  const at = (i: number, j: number, k: number): Point => [0, 1, 2].map(n => i * (a[n] ?? 0) + j * (b[n] ?? 0) + k * (c[n] ?? 0)) as Point;
  const found: [Point, Point][] = [];
  for (const [i, j] of [[0, 0], [0, 1], [1, 0], [1, 1]] as const)
    found.push([at(0, i, j), at(1, i, j)], [at(i, 0, j), at(i, 1, j)], [at(i, j, 0), at(i, j, 1)]);
  return found;
}
