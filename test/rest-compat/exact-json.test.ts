import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isExactNumber, parseExactJson, sourceOf } from "../../rest-compat/exact-json.ts";
import { usdNumber } from "../../rest-compat/parameters.ts";
import { toPlainDecimal } from "../../src/platform/decimal-notation.ts";

const decimalOf = (text: string) => {
  const written = parseExactJson(text);
  if (!isExactNumber(written)) throw new Error(`${text} is no number`);
  return toPlainDecimal(sourceOf(written));
};
const usd = usdNumber("An amount.");
const read = (text: string) => usd.safeParse(parseExactJson(text));

it("property: converts numbers exactly, with and without an exponent", () => {
  fc.assert(
    fc.property(
      fc.bigInt(0n, 10n ** 30n),
      fc.nat({ max: 25 }),
      fc.integer({ min: -20, max: 20 }),
      (digits, places, shift) => {
        const padded = digits.toString().padStart(places + 1, "0");
        const plain = places === 0 ? padded : `${padded.slice(0, -places)}.${padded.slice(-places)}`;
        const expected = places === 0 ? padded : plain.replace(/\.?0+$/, "");
        expect(decimalOf(plain)).toBe(expected);
        // The same value with the decimal point moved.
        const moved = places - shift;
        if (moved < 0 || moved >= padded.length) return;
        const written = moved === 0 ? padded : `${padded.slice(0, -moved)}.${padded.slice(-moved)}`;
        if (/^0\d/.test(written)) return;
        expect(decimalOf(`${written}e${-shift}`)).toBe(expected);
      },
    ),
  );
});

it("property: accepts an amount if and only if it is a whole number of micro-dollars", () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 15n), (amountMicroUsd) => {
      const digits = amountMicroUsd.toString().padStart(7, "0");
      const text = `${digits.slice(0, -6)}.${digits.slice(-6)}`;
      expect(
        BigInt((read(text).data ?? "").replace(/^([^.]*)$/, "$1.").replace(/\.(.*)$/, (_, f) => f.padEnd(6, "0"))),
      ).toBe(amountMicroUsd);
      expect(read(`${text}1`).success).toBe(false);
    }),
  );
});

describe("an amount in US dollars", () => {
  it.each([
    ["0.25", "0.25"],
    ["5", "5"],
    ["5.0000000000", "5"],
    ["1e-6", "0.000001"],
    ["25E-2", "0.25"],
    ["1e3", "1000"],
    ["0.1", "0.1"],
    ["1000000000", "1000000000"],
  ])("%s is %s", (text, decimal) => expect(read(text).data).toBe(decimal));

  it.each([
    ["0", "must be more than 0"],
    ["-0", "must be more than 0"],
    ["0.000", "must be more than 0"],
    ["-1", "must be more than 0"],
    ["1e-7", "must have at most 6 decimal places"],
    ["0.1000000000000000055511151231257827", "must have at most 6 decimal places"],
    ["5.0000000000000000000000001", "must have at most 6 decimal places"],
    ["1000000000.000001", "must be at most 1000000000"],
    ["1e10", "must be at most 1000000000"],
    ["1e400", "must be more than 0 and at most 1000000000"],
    ['"5"', "must be a number"],
    ["null", "must be a number"],
    ["[5]", "must be a number"],
    ["{}", "must be a number"],
    ["true", "must be a number"],
  ])("%s %s", (text, problem) => expect(read(text).error?.issues[0]?.message).toBe(problem));
});

it("leaves all values except numbers unchanged", () => {
  expect(parseExactJson('{"a":["x",true,null,{"__proto__":"y"}]}')).toEqual(
    JSON.parse('{"a":["x",true,null,{"__proto__":"y"}]}'),
  );
  expect(() => parseExactJson("[".repeat(1_000_000))).toThrow();
});
