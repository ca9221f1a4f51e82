import fc from "fast-check";
import { expect, it } from "vitest";
import { InvalidRequestError } from "../../src/platform/errors.ts";
import { formatDecimal } from "../../src/platform/money.ts";
import { minBuyAmount, priceOf, readSellAmount, readSlippage } from "../../src/trade/amounts.ts";
import type { Token } from "../../src/trade/tokens.ts";
import { raiseFees } from "../../src/wallet/evm/fees.ts";

const token = (decimals: number): Token => ({ symbol: "T", name: "T", address: "0x", decimals, isNative: false });
const decimals = fc.integer({ min: 0, max: 36 });
const amount = fc.bigInt({ min: 1n, max: 10n ** 40n });

it("parses a formatted amount exactly", () => {
  fc.assert(
    fc.property(amount, decimals, (atomic, places) => {
      expect(readSellAmount(formatDecimal(atomic, places), token(places))).toBe(atomic);
    }),
  );
});

it("rejects an amount with one decimal more than the token", () => {
  fc.assert(
    fc.property(amount, decimals, fc.integer({ min: 1, max: 9 }), (atomic, places, last) => {
      const text = `${formatDecimal(atomic, places, places)}${places === 0 ? "." : ""}${last}`;
      expect(() => readSellAmount(text, token(places))).toThrow(InvalidRequestError);
    }),
  );
});

it("computes the minimum for a slippage exactly", () => {
  fc.assert(
    fc.property(amount, fc.integer({ min: 0, max: 5_000 }), (buy, bps) => {
      const least = minBuyAmount(buy, bps);
      expect(least * 10_000n).toBeLessThanOrEqual(buy * BigInt(10_000 - bps));
      expect((least + 1n) * 10_000n).toBeGreaterThan(buy * BigInt(10_000 - bps));
      expect(least).toBeLessThanOrEqual(buy);
    }),
  );
});

it("converts every percentage from 0 to 50 with two decimals to basis points, and rejects others", () => {
  for (let bps = 0; bps <= 5_000; bps++) expect(readSlippage(Number((bps / 100).toFixed(2)))).toBe(bps);
  expect(readSlippage(null)).toBe(100);
  for (const percent of [-0.01, 50.01, 0.005, 1.001, 1e-7, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => readSlippage(percent)).toThrow(InvalidRequestError);
  }
});

it("computes the price of one token, rounded down", () => {
  fc.assert(
    fc.property(amount, decimals, amount, decimals, (sold, soldPlaces, bought, boughtPlaces) => {
      const price = priceOf(token(soldPlaces), sold, token(boughtPlaces), bought);
      const [whole = "0", fraction = ""] = price.split(".");
      const scaled = BigInt(whole + fraction.padEnd(18, "0"));
      const exact = bought * 10n ** BigInt(soldPlaces + 18);
      const unit = sold * 10n ** BigInt(boughtPlaces);
      expect(scaled * unit).toBeLessThanOrEqual(exact);
      expect((scaled + 1n) * unit).toBeGreaterThan(exact);
    }),
  );
});

it("raises fees by more than 10% or not at all", () => {
  const fee = fc.bigInt({ min: 0n, max: 10n ** 12n });
  fc.assert(
    fc.property(fee, fee, fee, fee, (max, priority, nowMax, nowPriority) => {
      const former = { maxFeePerGas: max, maxPriorityFeePerGas: priority };
      const raised = raiseFees(former, { maxFeePerGas: nowMax, maxPriorityFeePerGas: nowPriority });
      if (!raised) return;
      expect(raised.maxFeePerGas * 10n).toBeGreaterThan(max * 11n);
      expect(raised.maxPriorityFeePerGas * 10n).toBeGreaterThan(priority * 11n);
      expect(raised.maxFeePerGas).toBeGreaterThanOrEqual(nowMax);
      expect(raised.maxPriorityFeePerGas).toBeLessThanOrEqual(raised.maxFeePerGas);
    }),
  );
});
