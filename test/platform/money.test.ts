import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InvalidRequestError } from "../../src/platform/errors.ts";
import { formatDecimal, formatUsd, parseDecimal, parseUsd } from "../../src/platform/money.ts";

describe("money", () => {
  it("is parsed to the formatted amount, for any amount and number of decimals", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 40n), fc.integer({ min: 0, max: 18 }), (amountAtomic, decimals) => {
        expect(parseDecimal(formatDecimal(amountAtomic, decimals), decimals, "amount")).toBe(amountAtomic);
      }),
    );
  });

  it("is formatted exactly, with at least two decimal places for USD", () => {
    expect(formatUsd(5_000_000n)).toBe("5.00");
    expect(formatUsd(125n)).toBe("0.000125");
    expect(formatUsd(1_500_000n)).toBe("1.50");
    expect(formatUsd(-10_000n)).toBe("-0.01");
    expect(formatDecimal(12_340_000n, 6)).toBe("12.34");
    expect(formatDecimal(7n, 0)).toBe("7");
  });

  it.each(["", "-1", "+1", "1e6", ".5", "5.", "1,000", " 1", "1 ", "0x10", "١", "Infinity", "1.2.3"])(
    "rejects %j, which is not a plain decimal",
    (text) => expect(() => parseUsd(text, "amount")).toThrow(InvalidRequestError),
  );

  it("rejects too many decimal places and amounts above the maximum instead of rounding", () => {
    expect(parseUsd("0.000001", "amount")).toBe(1n);
    expect(() => parseUsd("0.0000001", "amount")).toThrow(/at most 6 decimal places/);
    expect(parseUsd("1000000000", "amount")).toBe(10n ** 15n);
    expect(() => parseUsd("1000000000.000001", "amount")).toThrow(InvalidRequestError);
  });
});
