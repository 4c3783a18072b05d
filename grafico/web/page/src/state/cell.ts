/** A value that components follow; changes are told once a frame of the screen. */

import { useEffect, useState } from "preact/hooks";

export class Cell<T> {
  #value: T;
  #followers = new Set<() => void>();
  #due = false;

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    if (this.#due) return;
    this.#due = true;
    soon(() => {
      this.#due = false;
      for (const follower of [...this.#followers]) follower();
    });
  }

  change(how: (value: T) => T): void {
    this.set(how(this.#value));
  }

  follow(follower: () => void): () => void {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }
}

/** Call at the next frame; a hidden page has none, and waits for a moment instead. */
function soon(what: () => void): void {
  if (document.visibilityState === "visible") requestAnimationFrame(what);
  else setTimeout(what, 100);
}

export function useCell<T>(cell: Cell<T>): T {
  const [, again] = useState(0);
  useEffect(() => {
    const told = () => again(n => n + 1);
    const leave = cell.follow(told);
    told(); // what changed between drawing and following
    return leave;
  }, [cell]);
  return cell.value;
}
