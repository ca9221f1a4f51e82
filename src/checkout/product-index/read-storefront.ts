/** Catalogue pages of the Storefront API, with the prices of each market that has its own. */
import { code as currencyOf } from "currency-codes";
import { z } from "zod";
import { MerchantThrottledError, NotShopifyError } from "../errors.ts";
import { queryStorefront } from "../storefront/client.ts";
import { moneySchema } from "../storefront/products.ts";
import { type Cursor, pickBest, type ReadProduct, type Step, type StepContext } from "./catalogue-step.ts";
import { PRODUCTS_JSON_START } from "./read-products-json.ts";
import { SEARCH_MARKETS } from "./search-markets.ts";

type StorefrontCursor = Extract<Cursor, { source: "storefront" }>;

export const STOREFRONT_START: StorefrontCursor = {
  ...{ source: "storefront", country: null, markets: [], market: "", after: null },
};

/** Without a token a query may cost 1,000 points at most; each product costs about 30. */
const PAGE_SIZE = 25;
const MAX_DESCRIPTION_LENGTH = 2_000;

const MARKETS = `query Markets {
  shop { paymentSettings { currencyCode countryCode } }
  localization { availableCountries { isoCode currency { isoCode } } }
}`;
const HOME = "query Home { shop { paymentSettings { currencyCode countryCode } } }";
const CATALOGUE = `query Catalogue($first: Int!, $after: String, $country: CountryCode!) @inContext(country: $country) {
  products(first: $first, after: $after) {
    pageInfo { hasNextPage endCursor }
    nodes {
      id handle title vendor productType tags description featuredImage { url }
      variants(first: 20) {
        nodes { id sku title availableForSale price { amount currencyCode } compareAtPrice { amount currencyCode } }
      }
    }
  }
}`;

const home = z.object({
  shop: z.object({ paymentSettings: z.object({ currencyCode: z.string(), countryCode: z.string() }) }),
});
const markets = home.extend({
  localization: z.object({
    availableCountries: z.array(z.object({ isoCode: z.string(), currency: z.object({ isoCode: z.string() }) })),
  }),
});
const text = z.string().transform((value) => value.replace(/\s+/g, " ").trim());
const product = z.object({
  id: z.string(),
  handle: z.string(),
  title: text.pipe(z.string().min(1)),
  vendor: text.nullish(),
  productType: z.string().nullish(),
  tags: z.array(z.string()).default([]),
  description: z.string().nullish(),
  featuredImage: z.object({ url: z.string() }).nullish(),
  variants: z.object({
    nodes: z.array(
      z.object({
        id: z.string(),
        sku: z.string().nullish(),
        title: z.string(),
        availableForSale: z.boolean(),
        price: moneySchema,
        compareAtPrice: moneySchema.nullish(),
      }),
    ),
  }),
});
const page = z.object({
  products: z.object({
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
    nodes: z.array(product),
  }),
});

/** Reads the next page. A site without the API continues with its other sources. */
export async function readStorefrontStep(context: StepContext, cursor: StorefrontCursor): Promise<Step> {
  const { host, egress } = context;
  if (!host.isAllowed(`${host.origin}/api/2026-10/graphql.json`))
    return { next: PRODUCTS_JSON_START, wasRequested: false };
  await host.pace();
  try {
    if (cursor.country === null) return { next: await findMarkets(context), wasRequested: true };
    const { market, after, country } = cursor;
    const variables = { first: PAGE_SIZE, after, country: market === "" ? country : market };
    const request = { query: CATALOGUE, variables, schema: page, isScheduled: true };
    const { products } = await queryStorefront(egress, host.origin, request);
    const { hasNextPage, endCursor } = products.pageInfo;
    const next = hasNextPage && endCursor ? { ...cursor, after: endCursor } : toNextMarket(cursor);
    return {
      next,
      page: {
        url: `${host.origin}/api?market=${market}&after=${after ?? ""}`,
        products: products.nodes.flatMap((node) => toProduct(host.origin, node, cursor)),
      },
      wasRequested: true,
    };
  } catch (error) {
    if (error instanceof NotShopifyError) return { next: PRODUCTS_JSON_START, wasRequested: true };
    throw error;
  }
}

/** Markets whose currency differs from the merchant's. All others have its own prices. */
async function findMarkets({ egress, host }: StepContext): Promise<StorefrontCursor> {
  const request = { query: MARKETS, variables: {}, schema: markets, isScheduled: true };
  const found = await queryStorefront(egress, host.origin, request).catch((error: unknown) => {
    // A proxy or a custom storefront may lack the field.
    if (error instanceof NotShopifyError || error instanceof MerchantThrottledError) throw error;
    return null;
  });
  const basic = { query: HOME, variables: {}, schema: home, isScheduled: true };
  const { shop } = found ?? (await queryStorefront(egress, host.origin, basic));
  const { countryCode: country, currencyCode } = shop.paymentSettings;
  const others = (found?.localization.availableCountries ?? []).filter(
    ({ isoCode, currency }) =>
      SEARCH_MARKETS.includes(isoCode) && isoCode !== country && currency.isoCode !== currencyCode,
  );
  return { ...STOREFRONT_START, country, markets: others.map(({ isoCode }) => isoCode) };
}

function toNextMarket(cursor: StorefrontCursor): StorefrontCursor | null {
  const all = ["", ...cursor.markets];
  const market = all[all.indexOf(cursor.market) + 1];
  return market === undefined ? null : { ...cursor, market, after: null };
}

function toProduct(
  origin: string,
  node: z.output<typeof product>,
  { market, markets: otherMarkets }: StorefrontCursor,
): ReadProduct[] {
  const variants = node.variants.nodes
    .filter(({ price }) => currencyOf(price.currency) !== undefined)
    .map((variant) => ({ ...variant, available: variant.availableForSale, priceMinor: variant.price.amountMinor }));
  const best = pickBest(variants);
  if (!best) return [];
  const titles = variants.map(({ title }) => title).filter((title) => title !== "Default Title");
  const number = best.id.slice(best.id.lastIndexOf("/") + 1);
  return [
    {
      ...{ productId: node.id, market, otherMarkets: market === "" ? otherMarkets : [], title: node.title },
      ...{ vendor: node.vendor ?? null, sku: best.id, priceMinor: best.priceMinor, available: best.available },
      variantTitle: best.title === "Default Title" ? null : best.title,
      compareAtMinor: best.compareAtPrice?.amountMinor ?? null,
      currency: best.price.currency,
      imageUrl: node.featuredImage?.url ?? null,
      productUrl: `${origin}/products/${encodeURIComponent(node.handle)}?variant=${number}`,
      keywords: [node.productType ?? "", ...node.tags, ...titles, ...variants.flatMap(({ sku }) => sku ?? [])],
      description: (node.description ?? "").slice(0, MAX_DESCRIPTION_LENGTH),
    },
  ];
}
