import assert from "node:assert/strict";
import { test } from "node:test";
import { angle, dihedral, distance, measured } from "../src/blocks/measure.ts";

test("geometry by known values", () => {
  assert.equal(distance([0, 0, 0], [3, 4, 0]), 5);
  assert.ok(Math.abs(angle([1, 0, 0], [0, 0, 0], [0, 2, 0]) - 90) < 1e-12);
  assert.ok(Math.abs(angle([1, 0, 0], [0, 0, 0], [-1, 0, 0]) - 180) < 1e-12);
  // By the convention of IUPAC: clockwise, looked at from the front atom, is positive.
  assert.ok(Math.abs(dihedral([1, 0, 0], [0, 0, 0], [0, 0, 1], [0, 1, 1]) - 90) < 1e-9);
  assert.ok(Math.abs(Math.abs(dihedral([1, 0, 0], [0, 0, 0], [0, 0, 1], [-1, 0, 1])) - 180) < 1e-9);
});

test("said in words", () => {
  assert.equal(measured([0, 1], ["O", "H"], [[0, 0, 0], [0, 0, 0.96]]), "Distance O1–H2: 0.9600 Å");
});
