/** Distances, angles and dihedrals of atoms that somebody has chosen. */

import type { Point } from "../types.ts";
import { real } from "./numbers.ts";

const less = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Point, b: Point): Point => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const size = (a: Point): number => Math.sqrt(dot(a, a));
const degrees = (radians: number): number => (radians * 180) / Math.PI;

export function distance(a: Point, b: Point): number {
  return size(less(a, b));
}

/** The angle at the second point, in degrees. */
export function angle(a: Point, b: Point, c: Point): number {
  const [u, v] = [less(a, b), less(c, b)];
  return degrees(Math.atan2(size(cross(u, v)), dot(u, v)));
}

/** The angle between the planes of the first three and the last three, in degrees, −180 to 180. */
export function dihedral(a: Point, b: Point, c: Point, d: Point): number {
  const [u, v, w] = [less(b, a), less(c, b), less(d, c)];
  const [m, n] = [cross(u, v), cross(v, w)];
  return degrees(Math.atan2(size(v) * dot(u, n), dot(m, n)));
}

/** Say what was chosen as one asks for it: `angle 2-1-3`. */
export function named(chosen: number[]): string {
  return `${["atom", "distance", "angle", "dihedral"][chosen.length - 1]} ${chosen.map(at => at + 1).join("-")}`;
}

/** Say in words what two, three or four chosen atoms measure; they are counted from 0. */
export function measured(chosen: number[], symbols: string[], positions: Point[]): string {
  const names = chosen.map(at => `${symbols[at]}${at + 1}`).join("–");
  const [a, b, c, d] = chosen.map(at => positions[at]);
  if (a && b && c && d) return `Dihedral ${names}: ${real(dihedral(a, b, c, d), 1)}°`;
  if (a && b && c) return `Angle ${names}: ${real(angle(a, b, c), 2)}°`;
  if (a && b) return `Distance ${names}: ${real(distance(a, b), 4)} Å`;
  if (a) return `Atom ${names} at ${a.map(one => real(one, 4)).join(", ")} Å`;
  return "";
}
