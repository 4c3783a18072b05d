/** Requests to the server that has sent this page, with the token that it has printed. */

import { capital } from "./blocks/numbers.ts";
import { keep, kept } from "./state/kept.ts";
import type { Trouble } from "./types.ts";

/** An answer that says what was asked, what is there and what to do. */
export class Problem extends Error {
  readonly status: number;
  readonly trouble: Trouble;

  constructor(status: number, trouble: Trouble) {
    super(inWords(trouble));
    this.status = status;
    this.trouble = trouble;
  }
}

export function inWords({ asked, found, advice }: Trouble): string {
  const said = [asked, found].filter(Boolean).join(": ");
  return [said, capital(advice ?? "")].filter(Boolean).map(ended).join(" ");
}

function ended(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Return what went wrong, in words. */
export function said(error: unknown): string {
  if (error instanceof Problem) return error.message;
  if (error instanceof TypeError) return "The server does not answer. It may have been stopped: start it again, and open the address that it prints.";
  return error instanceof Error ? error.message : String(error);
}

let token = "";

/** Take the token out of the address, or out of what this tab remembers. */
export function takeToken(): string {
  const inAddress = /^#token=([\w~.+/=-]+)/.exec(location.hash)?.[1];
  if (inAddress) {
    history.replaceState(null, "", location.pathname);
    keepToken(inAddress);
  } else {
    token = kept("sessionStorage", "token");
  }
  return token;
}

export function keepToken(value: string): void {
  token = value;
  keep("sessionStorage", "token", value);
}

async function send(method: string, path: string, body?: BodyInit, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { Authorization: `Bearer ${token}` };
  if (typeof body === "string") headers["Content-Type"] = "application/json";
  const answer = await fetch(`/api/${path}`, { method, headers, body, signal, cache: "no-store", credentials: "omit" });
  if (answer.ok) return answer;
  let trouble: Trouble = { asked: "the server", found: `it answered with ${answer.status}` };
  try {
    trouble = ((await answer.json()) as { error?: Trouble }).error ?? trouble;
  } catch {
    /* no JSON: the status says all there is */
  }
  throw new Problem(answer.status, trouble);
}

type Query = Record<string, string | number | boolean | undefined>;

export function address(path: string, query: Query = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return text ? `${path}?${text}` : path;
}

export async function get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> {
  return (await send("GET", address(path, query), undefined, signal)).json() as Promise<T>;
}

export async function post<T>(path: string, body: unknown = {}): Promise<T> {
  return (await send("POST", path, JSON.stringify(body))).json() as Promise<T>;
}

export async function put<T>(path: string, body: Blob): Promise<T> {
  return (await send("PUT", path, body)).json() as Promise<T>;
}

export async function blob(path: string, query?: Query): Promise<Blob> {
  return (await send("GET", address(path, query))).blob();
}

/** Save what the server answers as a file. */
export async function download(name: string, path: string, query?: Query): Promise<void> {
  saveAs(name, await blob(path, query));
}

export function saveAs(name: string, what: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(what);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
