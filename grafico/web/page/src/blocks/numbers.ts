/** Numbers and sentences that the page writes itself; those of blocks come written. */

/** Write a number with so many digits behind the point, and a real minus. */
export function real(value: number | null | undefined, digits: number): string {
  return value === null || value === undefined ? "–" : value.toFixed(digits).replace(/^-(?=[0.]*$)/, "").replace("-", "−");
}

/** Write a small number with so many digits in all. */
export function rough(value: number, digits: number): string {
  return String(Number(value.toPrecision(digits))).replace("e-", "×10⁻").replace("-", "−");
}

/** Write a whole number with its thousands apart. */
export function whole(value: number): string {
  return value.toLocaleString("en");
}

/** Begin with a capital and end as a sentence. */
export function sentence(text: string): string {
  return capital(text.trim()) + (/[.!?:]\s*$/.test(text) ? "" : ".");
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
