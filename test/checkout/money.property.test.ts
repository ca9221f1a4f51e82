import fc from "fast-check";
import { expect, it } from "vitest";
import { formatMinor, toMinor } from "../../src/checkout/money.ts";
import { addMaximumTax } from "../../src/checkout/quote/tax-ceiling.ts";

it.each([
  ["12.50", "GBP", 1_250],
  ["12.5", "GBP", 1_250],
  ["500.0", "JPY", 500],
  ["500", "JPY", 500],
  ["1.234", "KWD", 1_234],
  ["0.00", "USD", 0],
])("reads %s %s as %i", (amount, currency, minor) => expect(toMinor(amount, currency)).toBe(minor));

it.each([
  ["12.505", "GBP"],
  ["500.5", "JPY"],
  ["-1", "GBP"],
  ["1e3", "GBP"],
  ["", "GBP"],
  ["1", "XXZ"],
  ["99999999999999999", "GBP"],
])("rejects %s %s", (amount, currency) => expect(toMinor(amount, currency)).toBeNull());

it("writes and reads the same amount", () => {
  const currencies = fc.constantFrom("GBP", "JPY", "KWD", "USD");
  fc.assert(
    fc.property(fc.nat({ max: 1e12 }), currencies, (amountMinor, currency) => {
      expect(toMinor(formatMinor({ amountMinor, currency }), currency)).toBe(amountMinor);
    }),
  );
});

it("returns an integer of at least the amount when adding tax", () => {
  fc.assert(
    fc.property(fc.nat({ max: 1e9 }), fc.constantFrom("US", "GB", "HU", "CA"), (amountMinor, country) => {
      const ceiling = addMaximumTax(amountMinor, country);
      expect(Number.isSafeInteger(ceiling)).toBe(true);
      expect(ceiling).toBeGreaterThanOrEqual(amountMinor);
    }),
  );
});
