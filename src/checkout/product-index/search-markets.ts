/** Searchable markets and their currencies (spec section 4.8). */
export const MARKET_CURRENCIES: Readonly<Record<string, string>> = { US: "USD", GB: "GBP", CA: "CAD", AU: "AUD" };
export const SEARCH_MARKETS = Object.keys(MARKET_CURRENCIES);
