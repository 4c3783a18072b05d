/** What the server says: events of the stream, conversations, objects and their blocks. */

export type Value = number | boolean | string;
export type Point = [number, number, number];

/** A value with its label, unit and, as `shown`, how people write it. */
export interface Plain {
  label: string; value: Value | null | (Value | null)[]; shown: string; unit?: string; name?: string;
  note?: string; minor?: boolean; also?: Plain[]; at?: Plain[]; headline?: boolean;
}

export type Fact = Plain & { kind: "fact" };

export interface Column { label: string; unit?: string }

/** `shown` holds the rows as people write them. */
export interface Table {
  kind: "table"; title: string; name?: string; columns: Column[]; rows: (Value | null)[][]; shown: string[][];
  left_out?: number; note?: string; minor?: boolean; many?: boolean;
}

export interface Chart { kind: "chart"; title: string; index: number; note?: string; minor?: boolean }

export interface Motion { label: string; shifts: Point[]; number?: number; at?: number; strength?: number }

export interface Structure {
  kind: "structure"; title: string; iri: string; symbols: string[]; positions: Point[];
  bonds?: [number, number, number][]; cell?: Point[]; note?: string; minor?: boolean; motions?: Motion[]; table?: string; axes?: [string, string];
}

export interface Note { kind: "note"; text: string; minor?: boolean }

export type Block = Fact | Table | Chart | Structure | Note;

export interface Section { title: string; blocks: Block[] }

export type Tone = "finished" | "unmet" | "failed" | "open";

/** An object of the graph; `steps` counts those of a path that is kept, `talk` is where it goes on,
 * `surfaces` are fields that choose a function in space. */
export interface Thing {
  iri: string; title: string; subtitle?: string; asked?: string; status?: string; tone?: Tone;
  banner?: [string, string] | null; sections: Section[]; run?: boolean; steps?: number; talk?: string; surfaces?: Field[];
}

export interface Trouble { asked: string; found: string; advice?: string }

/** A number of an answer, at its place in it; without a source it is null. */
export interface Num {
  start: number; end: number; text: string; unit?: string; source: string | null; how?: string;
  rests_on?: string[];
}

/** What the viewer of a conversation is to show. */
export interface View { iri: string; formula: string; marks: { atom: number; label: string; symbol: string }[] }

export interface Card {
  view?: View | null; call: string; name: string; title: string; arguments: unknown; found?: unknown; failed?: Trouble | null;
  runs?: string[]; files?: string[]; structures?: string[];
}

export interface Turn {
  question: string; started: string; attached?: { formula?: string; file?: string; from?: string }[]; planner: string;
  status: string; error?: Trouble; answer: string; thinking?: string; numbers: Num[]; cards: Card[];
  runs: string[]; files: string[]; notes: string[];
  requests: number; input_tokens: number; output_tokens: number; dollars: number | null; seconds: number;
}

export interface Listed { key: string; name: string; last: string; busy: boolean }

export interface Frame {
  run?: string; stage?: string; step: number; energy: number | null; max_gradient?: number | null;
  symbols?: string[]; positions?: Point[]; text?: string;
}

export type Event = { c: string } & (
  | { k: "asked"; question: string; files?: string[]; started?: string }
  | { k: "named"; iri: string; name: string }
  | { k: "text" | "thinking" | "again" | "note"; text: string }
  | { k: "tool"; call: string; name: string; title: string; arguments: unknown }
  | { k: "line"; call: string; text: string; key?: string }
  | { k: "run"; call: string; run: string; about?: string; goal?: string }
  | { k: "step"; call: string; run: string; index: number; name: string }
  | ({ k: "frame"; call: string } & Frame)
  | { k: "progress"; call: string; done: number; total: number; failed?: number }
  | ({ k: "result" } & Card)
  | { k: "question"; id: string; text: string; options?: string[] }
  | { k: "approval"; id: string; tool?: string; arguments?: unknown; why?: string; what?: string; effects?: string[] | string }
  | { k: "look" | "answered"; id: string }
  | { k: "done"; turn: Turn }
  | { k: "listed" | "reset" }
);

export interface ConversationData { name: string; turns: Turn[]; live: Event[]; at: string }

export interface State {
  release: string; ready: boolean; trouble?: string | null; examples?: string[]; store?: string;
  model?: string; models?: string[]; formats?: string[];
}

export interface RunRow {
  run: string; started: string; subject: string; goal: string; level: string;
  status: string; message: string; withdrawn?: boolean; energy: number | null;
}

/** A field of a form, which means something only where each of `for` holds. */
export interface Field {
  name: string; label: string; help: string;
  kind: "flag" | "choice" | "number" | "integer" | "text" | "list"; choices: (string | number)[];
  unit: string; usual: Value | null; required: boolean; rare: boolean;
  for: { field: string; values: Value[] }[];
}

export interface Form {
  name: string; title: string; help: string; subject: { name: string; asked: boolean; help: string; drawn: boolean };
  fields: Field[];
}

export interface Plan {
  plans: { label: string; steps: string[]; estimate: string; remarks: string[] }[]; command: string;
  python: string;
}
