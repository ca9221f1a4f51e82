import { z } from "zod";
import type { Egress } from "../../platform/egress/egress.ts";
import { queryStorefront } from "./client.ts";

const STORE = `query Shop {
  shop { name primaryDomain { host url } shipsToCountries paymentSettings { currencyCode countryCode acceptedCardBrands } }
}`;

const schema = z.object({
  shop: z.object({
    name: z.string().min(1).max(200),
    primaryDomain: z.object({ host: z.string(), url: z.url({ protocol: /^https?$/ }) }),
    shipsToCountries: z.array(z.string()),
    paymentSettings: z.object({
      currencyCode: z.string(),
      countryCode: z.string(),
      acceptedCardBrands: z.array(z.string()),
    }),
  }),
});

/** A store's description of itself. */
export type StoreDescription = z.output<typeof schema>["shop"];

/** Reads the description of a store. @throws {NotShopifyError | CatalogUnavailableError} */
export async function readStore(egress: Egress, storeUrl: string): Promise<StoreDescription> {
  return (await queryStorefront(egress, storeUrl, { query: STORE, variables: {}, schema })).shop;
}
