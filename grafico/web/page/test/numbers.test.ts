import assert from "node:assert/strict";
import { test } from "node:test";
import { formatted, written } from "../src/blocks/numbers.ts";

test("formats are those of Python", () => {
  const cases: [number, string, string][] = [
    [1234.5678, ".6g", "1234.57"], [0.0001, ".6g", "0.0001"], [0.00001, ".6g", "1e-05"], [1e6, ".6g", "1e+06"],
    [123456, ".6g", "123456"], [1234567, ",.2f", "1,234,567.00"], [-5.07, "+.1f", "-5.1"], [5.07, "+.1f", "+5.1"],
    [0.000123456, ".3e", "1.235e-04"], [42, "d", "42"], [0, ".6g", "0"], [999999.6, ".6g", "1e+06"],
  ];
  for (const [value, format, text] of cases) assert.equal(formatted(value, format), text, `${value} ${format}`);
});

test("values are written for people", () => {
  assert.equal(written(-0.00001, ".2f"), "0.00");
  assert.equal(written(-5.5, ".1f"), "−5.5");
  assert.equal(written(1.5e-7), "1.5×10⁻⁷");
  assert.equal(written(true, "stable|unstable"), "stable");
  assert.equal(written(false), "no");
  assert.equal(written(2, "multiplicity {}"), "multiplicity 2");
  assert.equal(written(null), "–");
});
