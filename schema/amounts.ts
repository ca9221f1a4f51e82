/** Types of amounts: `Money` for purchases at merchants, `TokenAmount` for tokens. US dollars have the scalar `Usd`. */
import { formatMinor, type Money } from "../src/checkout/money.ts";
import { toPlainDecimal } from "../src/platform/decimal-notation.ts";
import { InvalidValue } from "../src/platform/graphql/invalid-value.ts";
import { formatDecimal } from "../src/platform/money.ts";
import { builder } from "./builder.ts";
import { createInput } from "./scalars.ts";

builder.scalarType("Decimal", {
  description:
    'An exact decimal number as a string, such as `"12.50"`. Never rounded. Inputs are not negative, and may have an exponent: `"1e-7"`.',
  serialize: (value) => value,
  ...createInput((value) => {
    const decimal = typeof value === "string" ? toPlainDecimal(value) : null;
    if (decimal !== null && !decimal.startsWith("-")) return decimal;
    throw new InvalidValue("Decimal", 'must be a decimal number as a string, such as "12.50"');
  }),
});

export const MoneyType = builder.objectRef<Money>("Money").implement({
  description: "An amount of money in a currency.",
  fields: (t) => ({
    amount: t.field({
      type: "Decimal",
      description: "The amount with all fraction digits of the currency: `12.50` for 12.50 GBP, `500` for 500 JPY.",
      resolve: formatMinor,
    }),
    amountMinor: t.expose("amountMinor", {
      type: "MinorAmount",
      description: "The amount in the currency's minor unit: `1250` for 12.50 GBP.",
    }),
    currency: t.expose("currency", { type: "CurrencyCode", description: "The currency." }),
  }),
});

/** Returns an amount for a field of type `Money`; null without an amount or a currency. */
export function toMoney(amountMinor: bigint | number, currency: string): Money;
export function toMoney(amountMinor: bigint | number | null, currency: string | null): Money | null;
export function toMoney(amountMinor: bigint | number | null, currency: string | null): Money | null {
  return amountMinor === null || currency === null ? null : { amountMinor: Number(amountMinor), currency };
}

/** An amount of a token. */
export interface TokenAmount {
  readonly atomic: bigint;
  readonly decimals: number;
  readonly symbol: string;
  /** The contract or mint address, or `native`; null for free credit, which is in US dollars. */
  readonly asset: string | null;
  /** Null for free credit. */
  readonly network: string | null;
}

export const TokenAmountType = builder.objectRef<TokenAmount>("TokenAmount").implement({
  description: "An amount of a token, of a network's native coin, or of free credit.",
  fields: (t) => ({
    amount: t.field({
      type: "Decimal",
      description: "The exact amount, with all decimal places of the asset.",
      resolve: ({ atomic, decimals }) => formatDecimal(atomic, decimals, decimals),
    }),
    atomic: t.expose("atomic", { type: "AtomicAmount", description: "The amount in the asset's smallest unit." }),
    decimals: t.exposeInt("decimals", { description: "The number of decimal places of the asset." }),
    symbol: t.exposeString("symbol", { description: "The symbol, such as USDC or ETH; USD for free credit." }),
    asset: t.exposeString("asset", {
      nullable: true,
      description: "The contract or mint address of the token, or `native`. Null for free credit.",
    }),
    network: t.expose("network", {
      type: "NetworkName",
      nullable: true,
      description: "The network. Null for free credit.",
    }),
  }),
});
