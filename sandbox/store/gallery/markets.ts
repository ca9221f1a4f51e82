import { product, type Store } from "../definition.ts";
import type { Currency } from "../money.ts";

/** Country of a merchant and its buyers, with the amounts of the one product that each merchant sells. */
export interface Market {
  readonly country: string;
  readonly currency: Currency;
  readonly goodsMinor: number;
  readonly standardMinor: number;
  readonly expressMinor: number;
  readonly locale: string;
}

export const MARKETS = {
  GB: { country: "GB", currency: "GBP", goodsMinor: 2_650, standardMinor: 490, expressMinor: 1_290, locale: "en-GB" },
  US: { country: "US", currency: "USD", goodsMinor: 2_650, standardMinor: 490, expressMinor: 1_290, locale: "en-US" },
  DE: { country: "DE", currency: "EUR", goodsMinor: 2_650, standardMinor: 490, expressMinor: 1_290, locale: "de-DE" },
  CA: { country: "CA", currency: "CAD", goodsMinor: 3_200, standardMinor: 850, expressMinor: 1_990, locale: "en-CA" },
  AU: { country: "AU", currency: "AUD", goodsMinor: 3_900, standardMinor: 950, expressMinor: 1_650, locale: "en-AU" },
  FR: { country: "FR", currency: "EUR", goodsMinor: 2_650, standardMinor: 490, expressMinor: 1_290, locale: "fr-FR" },
} as const satisfies Record<string, Market>;
export type MarketName = keyof typeof MARKETS;

export const PRODUCT_TITLE = "Enamel mug";
export const VARIANT_ID = 900_011;

/** Formats an amount as merchants of the market do: `£31.40`, `31,40 €`. */
export function formatMoney(market: MarketName, amountMinor: number): string {
  const { currency, locale } = MARKETS[market];
  return new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay: "narrowSymbol" })
    .format(amountMinor / 100)
    .replace(/\u202f/g, "\u00a0");
}

/** Returns the definition for the Storefront API and the product page, from which agents quote. */
export function storeOf(name: string, marketName: MarketName): Store {
  const market = MARKETS[marketName];
  const rate = (code: string, title: string, description: string, amountMinor: number) => ({
    ...{ code, title, description, amountMinor },
    countries: [market.country],
  });
  return {
    ...{ name, title: `${name} shop`, slogan: "One mug, many checkouts", kind: "shopify", colour: "#2f5d50" },
    ...{ country: market.country, currency: market.currency, shipsTo: [market.country], markets: {} },
    tax: { kind: "included", basisPoints: 2_000 },
    rates: [
      rate("STD", "Standard", "3 to 5 days", market.standardMinor),
      rate("EXP", "Express", "Next day", market.expressMinor),
    ],
    pickups: [],
    checkout: { pages: "single", card: "standard" },
    products: [
      product(
        90_001,
        "Gallery",
        { title: PRODUCT_TITLE, description: "White, 300 ml.", productType: "Mugs", tags: ["mug"] },
        [{ sku: "MUG-1", priceMinor: market.goodsMinor }],
      ),
    ],
  };
}
