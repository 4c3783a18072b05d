/** Numbers as people write them: the server says by Python's format how many digits they have. */

import type { Value } from "../types.ts";

const RAISED: Record<string, string> = {
  "-": "⁻", "0": "⁰", "1": "¹", "2": "²", "3": "³", "4": "⁴", "5": "⁵", "6": "⁶", "7": "⁷", "8": "⁸", "9": "⁹",
};

/** Write a value: a number with a real minus and powers of ten raised, a truth value in words. */
export function written(value: Value | null | undefined, digits = ""): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "string") return value;
  if (typeof value === "boolean") {
    const [yes = "yes", no = "no"] = digits.includes("|") ? digits.split("|") : [];
    return value ? yes : no;
  }
  const hole = digits.indexOf("{}");
  if (hole >= 0) return digits.slice(0, hole) + written(value) + digits.slice(hole + 2);
  return pretty(formatted(value, digits || (Number.isInteger(value) && Math.abs(value) < 1e15 ? "d" : ".6g")));
}

function pretty(text: string): string {
  const [mantissa = "", power] = text.split("e");
  if (power !== undefined) {
    const raised = [...String(Number(power))].map(one => RAISED[one] ?? one).join("");
    return `${mantissa}×10${raised}`.replaceAll("-", "−");
  }
  return (/^[-+]?[0.]+$/.test(text) ? text.replace(/^[-+]/, "") : text).replaceAll("-", "−");
}

/** Write a number by a format such as `.6g`, `,.2f`, `+.1e` or `d`; another one means `.6g`. */
export function formatted(value: number, format: string): string {
  const found = /^(\+?)(,?)(?:\.(\d+))?([gfed]?)$/.exec(format);
  const [, plus = "", comma = "", precision, kind = "g"] = found ?? ["", "", "", "6", "g"];
  const places = precision === undefined ? 6 : Number(precision);
  const size = Math.abs(value);
  let text =
    kind === "d" ? size.toFixed(0) : kind === "f" ? size.toFixed(places) : kind === "e" ? powered(size, places) : general(size, places);
  if (comma) text = text.replace(/^\d+/, whole => whole.replace(/\B(?=(\d{3})+$)/g, ","));
  const sign = value < 0 || Object.is(value, -0) ? "-" : plus;
  return sign + text;
}

function powered(size: number, places: number): string {
  const [mantissa = "", power = "0"] = size.toExponential(places).split("e");
  const sign = power.startsWith("-") ? "-" : "+";
  return `${mantissa}e${sign}${power.replace(/^[-+]/, "").padStart(2, "0")}`;
}

function general(size: number, digits: number): string {
  if (size === 0) return "0";
  const wanted = Math.max(1, digits);
  const power = Number(size.toExponential(wanted - 1).split("e")[1]);
  if (power < -4 || power >= wanted) return bare(powered(size, wanted - 1));
  return bare(size.toFixed(wanted - 1 - power));
}

/** Without zeros at the end of the fraction. */
function bare(text: string): string {
  const [mantissa = "", power] = text.split("e");
  const short = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  return power === undefined ? short : `${short}e${power}`;
}

/** Begin with a capital and end as a sentence. */
export function sentence(text: string): string {
  const bare = text.trim();
  return bare.charAt(0).toUpperCase() + bare.slice(1) + (/[.!?:]$/.test(bare) ? "" : ".");
}
