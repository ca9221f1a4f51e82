/** Client of a remote product catalogue that covers many merchants (protocol: docs/product-search.md). */
import { z } from "zod";
import { readBounded } from "../../platform/egress/body.ts";
import type { Egress } from "../../platform/egress/egress.ts";
import { ServiceError } from "../../platform/errors.ts";
import { CatalogUnavailableError } from "../errors.ts";
import { toMinor } from "../money.ts";
import type { Catalogue, CatalogueProduct, CatalogueQuery } from "./catalogue.ts";

const variant = z.object({
  id: z.string(),
  title: z.string(),
  price: z.string(),
  compare_at_price: z.string().nullish(),
  available: z.boolean(),
});
const responseSchema = z.object({
  products: z.array(
    z.object({
      shop: z.string(),
      shop_name: z.string().nullish(),
      product_id: z.string(),
      title: z.string(),
      vendor: z.string().nullish(),
      product_url: z.url({ protocol: /^https?$/ }),
      image_url: z.string().nullish(),
      currency: z.string(),
      variants: z.array(variant),
    }),
  ),
  shops_searched: z.int().nonnegative(),
});

type RemoteProduct = z.output<typeof responseSchema>["products"][number];

const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;

/** Creates a client. @param options.url base URL; queries are POSTed to `/catalogue/search` below it */
export function createRemoteCatalogue(options: { url: string; apiKey: string | undefined; egress: Egress }): Catalogue {
  const { url, apiKey, egress } = options;
  return {
    rails: ["shopify"],
    async search(query) {
      const parsed = responseSchema.safeParse(await postQuery(query));
      if (!parsed.success) throw new CatalogUnavailableError("The catalogue returned an invalid response.");
      const { products, shops_searched: shopsSearched } = parsed.data;
      return { products: products.flatMap(toProduct), shopsSearched };
    },
  };

  async function postQuery({ query, country, shops, limit }: CatalogueQuery): Promise<unknown> {
    try {
      const { status, body } = await egress.request({
        url: `${url}/catalogue/search`,
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json",
          ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify({ query, country, shops, limit }),
        timeoutMs: TIMEOUT_MS,
        maxRedirects: 0,
      });
      const text = await readBounded(body, MAX_RESPONSE_BYTES);
      if (status !== 200) throw new CatalogUnavailableError(`The catalogue responded with status ${status}.`);
      return JSON.parse(text);
    } catch (error) {
      if (error instanceof CatalogUnavailableError) throw error;
      if (!(error instanceof ServiceError || error instanceof SyntaxError)) throw error;
      throw new CatalogUnavailableError("The catalogue did not respond.", { cause: error });
    }
  }
}

/** Returns the product with its best variant. Returns an empty array for a product without a valid price. */
function toProduct(product: RemoteProduct): CatalogueProduct[] {
  const { currency } = product;
  const variants = product.variants.flatMap((one) => {
    const priceMinor = toMinor(one.price, currency);
    return priceMinor === null ? [] : [{ ...one, priceMinor }];
  });
  const [best] = variants.toSorted(
    (one, other) => Number(other.available) - Number(one.available) || one.priceMinor - other.priceMinor,
  );
  if (!best) return [];
  return [
    {
      shop: product.shop.toLowerCase(),
      sku: best.id,
      productId: product.product_id,
      title: product.title,
      variantTitle: best.title === "Default Title" ? null : best.title,
      vendor: product.vendor ?? null,
      priceMinor: best.priceMinor,
      compareAtMinor: best.compare_at_price ? toMinor(best.compare_at_price, currency) : null,
      currency,
      available: best.available,
      imageUrl: product.image_url ?? null,
      productUrl: product.product_url,
      tier: 0,
    },
  ];
}
