/** What has been asked for and is kept: objects, pictures, the paths of runs. */

import { useEffect, useState } from "preact/hooks";
import { blob, get, said } from "../api.ts";
import type { Thing } from "../types.ts";
import type { Course } from "./live.ts";

export interface Fetched<T> { value: T | null; trouble: string; again: () => void }

/** Ask for something when it is wanted; `key` says when it is another thing. */
export function useFetched<T>(key: string, ask: (signal: AbortSignal) => Promise<T>, wanted = true): Fetched<T> {
  const [state, set] = useState<{ key: string; value: T | null; trouble: string }>({ key, value: null, trouble: "" });
  const [turn, next] = useState(0);
  useEffect(() => {
    if (!wanted) return;
    const stop = new AbortController();
    ask(stop.signal).then(
      value => stop.signal.aborted || set({ key, value, trouble: "" }),
      error => stop.signal.aborted || set(old => ({ key, value: old.key === key ? old.value : null, trouble: said(error) })),
    );
    return () => stop.abort();
  }, [key, wanted, turn]);
  const again = () => next(n => n + 1);
  return state.key === key ? { value: state.value, trouble: state.trouble, again } : { value: null, trouble: "", again };
}

const MOST = 60;
const things = new Map<string, Promise<Thing>>();

/** Ask for an object; one that has ended is not asked for again. */
export function thing(iri: string): Promise<Thing> {
  const known = things.get(iri);
  if (known) return known;
  const asked = get<Thing>("objects", { iri });
  things.set(iri, asked);
  if (things.size > MOST) things.delete(things.keys().next().value ?? "");
  asked.then(
    found => found.tone === "open" && things.delete(iri),
    () => things.delete(iri),
  );
  return asked;
}

/** Ask for an object anew when it is wanted again. */
export function forget(iri: string): void {
  things.delete(iri);
}

/** Ask for the kept path of a run; most have none. */
export async function path(run: string): Promise<{ stages: Course[] }> {
  return get("frames", { iri: run });
}

/** Show a picture of the server by an address of this page; null until it is there. */
export function usePicture(key: string, ask: () => Promise<Blob>, wanted: boolean): Fetched<string> {
  const [address, set] = useState("");
  const found = useFetched(key, ask, wanted);
  useEffect(() => {
    if (!found.value) return;
    const made = URL.createObjectURL(found.value);
    set(made);
    return () => URL.revokeObjectURL(made);
  }, [found.value]);
  return { value: found.value && address ? address : null, trouble: found.trouble, again: found.again };
}

export const chart = (iri: string, index: number): Promise<Blob> => blob("chart", { iri, index });
