import assert from "node:assert/strict";
import { test } from "node:test";
import { real, sentence } from "../src/blocks/numbers.ts";

test("numbers are written for people", () => {
  assert.equal(real(-5.5, 1), "−5.5");
  assert.equal(real(-0.00001, 2), "0.00");
  assert.equal(real(null, 2), "–");
  assert.equal(sentence("harmonic, unscaled"), "Harmonic, unscaled.");
});
