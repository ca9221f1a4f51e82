import fc from "fast-check";
import { expect, it } from "vitest";
import { toPlainDecimal } from "../../src/platform/decimal-notation.ts";
import { InvalidRequestError } from "../../src/platform/errors.ts";
import { formatDecimal } from "../../src/platform/money.ts";
import {
  maxSellAmount,
  minBuyAmount,
  priceImpactBps,
  priceOf,
  readAmount,
  readSlippage,
  slippageToMaximum,
  slippageToMinimum,
} from "../../src/trade/amounts.ts";
import type { Token } from "../../src/trade/tokens.ts";
import { raiseFees } from "../../src/wallet/evm/fees.ts";

const token = (decimals: number): Token => ({ symbol: "T", name: "T", address: "0x", decimals, isNative: false });
const decimals = fc.integer({ min: 0, max: 36 });
const amount = fc.bigInt({ min: 1n, max: 10n ** 40n });

it("parses a formatted amount exactly", () => {
  fc.assert(
    fc.property(amount, decimals, (atomic, places) => {
      expect(readAmount(formatDecimal(atomic, places), token(places), "sellAmount")).toBe(atomic);
    }),
  );
});

it("rejects an amount with one decimal more than the token", () => {
  fc.assert(
    fc.property(amount, decimals, fc.integer({ min: 1, max: 9 }), (atomic, places, last) => {
      const text = `${formatDecimal(atomic, places, places)}${places === 0 ? "." : ""}${last}`;
      expect(() => readAmount(text, token(places), "buyAmount")).toThrow(InvalidRequestError);
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

it("computes the largest slippage that guarantees a minimum", () => {
  const amounts = fc.tuple(amount, amount).map(([a, b]) => (a < b ? ([a, b] as const) : ([b, a] as const)));
  fc.assert(
    fc.property(amounts, ([least, buy]) => {
      const bps = slippageToMinimum(buy, least);
      expect(minBuyAmount(buy, bps)).toBeGreaterThanOrEqual(least);
      expect(buy * BigInt(10_000 - bps - 1)).toBeLessThan(least * 10_000n);
    }),
  );
});

it("computes the maximum for a slippage exactly, and the largest slippage within a maximum", () => {
  const amounts = fc.tuple(amount, amount).map(([a, b]) => (a < b ? ([a, b] as const) : ([b, a] as const)));
  fc.assert(
    fc.property(amounts, fc.integer({ min: 0, max: 5_000 }), ([sell, most], bps) => {
      expect(maxSellAmount(sell, bps) * 10_000n).toBeGreaterThanOrEqual(sell * BigInt(10_000 + bps));
      expect((maxSellAmount(sell, bps) - 1n) * 10_000n).toBeLessThan(sell * BigInt(10_000 + bps));
      const within = ((most - sell) * 10_000n) / sell;
      fc.pre(within <= 5_000n);
      expect(maxSellAmount(sell, slippageToMaximum(sell, most))).toBeLessThanOrEqual(most);
      expect(sell * (10_000n + within + 1n)).toBeGreaterThan(most * 10_000n);
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

it("computes the price impact in basis points, from 0 to 10,000, rounded up", () => {
  fc.assert(
    fc.property(amount, amount, amount, amount, (sellAtomic, buyAtomic, smallSell, smallBuy) => {
      const bps = priceImpactBps({ sellAtomic, buyAtomic }, { sellAtomic: smallSell, buyAtomic: smallBuy });
      expect(bps >= 0 && bps <= 10_000).toBe(true);
      // buy / sell >= (1 - bps) * smallBuy / smallSell, and not with one basis point less.
      const isWithin = (impact: number) =>
        buyAtomic * smallSell * 10_000n >= BigInt(10_000 - impact) * smallBuy * sellAtomic;
      expect(isWithin(bps)).toBe(true);
      if (bps > 0) expect(isWithin(bps - 1)).toBe(false);
    }),
  );
});

it("property: every notation of a decimal is the same amount", () => {
  fc.assert(
    fc.property(
      fc.bigInt(0n, 10n ** 30n),
      fc.nat({ max: 25 }),
      fc.integer({ min: -25, max: 25 }),
      (digits, places, shift) => {
        const plain = toPlainDecimal(formatDecimal(digits, places, places));
        // The same value with the decimal point moved by the exponent.
        const moved =
          shift >= 0 ? formatDecimal(digits, places + shift) : formatDecimal(digits * 10n ** BigInt(-shift), places);
        expect(toPlainDecimal(`${moved}e${shift}`)).toBe(plain);
        expect(toPlainDecimal(`00${moved}E${shift}`)).toBe(plain);
      },
    ),
  );
});

it("raises fees by more than 10% or not at all", () => {
  const fee = fc.bigInt({ min: 0n, max: 10n ** 12n });
  fc.assert(
    fc.property(fee, fee, fee, fee, fee, (max, priority, nowMax, nowPriority, cap) => {
      const former = { maxFeePerGas: max, maxPriorityFeePerGas: priority };
      const raised = raiseFees(former, { maxFeePerGas: nowMax, maxPriorityFeePerGas: nowPriority }, cap);
      if (!raised) return;
      expect(raised.maxFeePerGas).toBeLessThanOrEqual(cap);
      expect(raised.maxFeePerGas * 10n).toBeGreaterThan(max * 11n);
      expect(raised.maxPriorityFeePerGas * 10n).toBeGreaterThan(priority * 11n);
      expect(raised.maxFeePerGas).toBeGreaterThanOrEqual(nowMax);
      expect(raised.maxPriorityFeePerGas).toBeLessThanOrEqual(raised.maxFeePerGas);
    }),
  );
});
