/** Light or dark: what the machine says, unless the person has chosen. */

import { Cell } from "./cell.ts";
import { keep, kept } from "./kept.ts";

export type Theme = "" | "light" | "dark";

export const theme = new Cell<Theme>(kept("localStorage", "theme") as Theme);

/** Grows by one whenever colours have changed, for what is drawn by script. */
export const colours = new Cell(0);

export function choose(value: Theme): void {
  theme.set(value);
  keep("localStorage", "theme", value);
  apply();
}

export function apply(): void {
  if (theme.value) document.documentElement.dataset.theme = theme.value;
  else delete document.documentElement.dataset.theme;
  colours.change(n => n + 1);
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => colours.change(n => n + 1));

/** Return a colour of the style as `#rrggbb`. */
export function colour(name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const numbers = getComputedStyle(probe).color.match(/[\d.]+/g) ?? ["0", "0", "0"];
  probe.remove();
  return `#${numbers.slice(0, 3).map(one => Math.round(Number(one)).toString(16).padStart(2, "0")).join("")}`;
}
