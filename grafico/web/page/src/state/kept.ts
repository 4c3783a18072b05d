/** What this tab or this browser remembers; where that is not allowed, it holds as long as the page stands. */

export function kept(store: "localStorage" | "sessionStorage", name: string): string {
  try {
    return window[store].getItem(`grafico ${name}`) ?? "";
  } catch {
    return "";
  }
}

export function keep(store: "localStorage" | "sessionStorage", name: string, value: string): void {
  try {
    window[store].setItem(`grafico ${name}`, value);
  } catch {
    /* not allowed */
  }
}
