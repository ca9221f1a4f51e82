import { z } from "zod";
import type { Egress } from "../../platform/egress/egress.ts";
import { CatalogUnavailableError, NotShopifyError } from "../errors.ts";
import { queryStorefront } from "./client.ts";
import type { StoreDescription } from "./store.ts";

const MARKETS = "query Markets { localization { availableCountries { isoCode currency { isoCode } } } }";
const schema = z.object({
  localization: z.object({
    availableCountries: z.array(z.object({ isoCode: z.string(), currency: z.object({ isoCode: z.string() }) })),
  }),
});

/**
 * Returns the country whose prices a store shows in a currency, preferably one to which it ships. Returns the store's own country
 * if it has no such market, or without a currency.
 */
export async function findMarket(
  egress: Egress,
  storeUrl: string,
  { store, currency }: { readonly store: StoreDescription; readonly currency: string | null },
): Promise<string> {
  const { countryCode, currencyCode } = store.paymentSettings;
  if (currency === null || currency === currencyCode) return countryCode;
  const request = { query: MARKETS, variables: {}, schema };
  const found = await queryStorefront(egress, storeUrl, request).catch((error: unknown) => {
    // A proxy or a custom storefront may lack the field.
    if (error instanceof CatalogUnavailableError || error instanceof NotShopifyError) return null;
    throw error;
  });
  const countries = (found?.localization.availableCountries ?? [])
    .filter((market) => market.currency.isoCode === currency)
    .map(({ isoCode }) => isoCode);
  return countries.find((country) => store.shipsToCountries.includes(country)) ?? countries[0] ?? countryCode;
}
