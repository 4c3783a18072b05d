/** What went wrong, where it went wrong; and the small frames that every place uses. */

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { said } from "../api.ts";
import type { Fetched } from "../state/fetched.ts";

export function Wrong({ text, again }: { text: string; again?: () => void }) {
  if (!text) return null;
  return <p class="wrong" role="alert">{text} {again ? <button type="button" class="link" onClick={again}>Try again</button> : null}</p>;
}

/** Something that was asked for: what it is, what went wrong, or that it is still on its way. */
export function Found<T>({ of, children }: { of: Fetched<T>; children: (value: T) => ComponentChildren }) {
  return (
    <>
      <Wrong text={of.trouble} again={of.again} />
      {of.value !== null ? children(of.value) : of.trouble ? null : <div class="waiting" role="status" aria-label="Loading" />}
    </>
  );
}

/** Try something at a time, and keep what went wrong. */
export function useTry() {
  const [trouble, wrong] = useState("");
  const [busy, work] = useState(false);
  const attempt = async (what: () => Promise<unknown>): Promise<boolean> => {
    work(true);
    wrong("");
    const well = await what().then(() => true, error => (wrong(said(error)), false));
    work(false);
    return well;
  };
  return { trouble, busy, attempt };
}

/** A form that is sent by script. */
export function Sent({ send, class: name, children }: { send: () => void; class?: string; children: ComponentChildren }) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    send();
  };
  return <form class={name} onSubmit={submit}>{children}</form>;
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} – Grafico` : "Grafico";
  }, [title]);
}
