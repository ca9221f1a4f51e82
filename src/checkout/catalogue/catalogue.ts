/** Client of an external product catalogue that covers many merchants: full-text search per market. */
import { z } from "zod";
import { readBounded } from "../../platform/egress/body.ts";
import type { Egress } from "../../platform/egress/egress.ts";
import { ServiceError } from "../../platform/errors.ts";
import { CatalogUnavailableError } from "../errors.ts";

/** Maximum number of merchants in one call (spec section 8). */
export const MAX_MERCHANTS_PER_CALL = 1_000;

export interface CatalogueQuery {
  readonly query: string;
  readonly country: string;
  /** Merchant hosts, including non-default ports. */
  readonly shops: readonly string[];
  readonly limit: number;
}

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

export type CatalogueResponse = z.output<typeof responseSchema>;
export type CatalogueProduct = CatalogueResponse["products"][number];

export interface Catalogue {
  /** @throws {CatalogUnavailableError} */
  search(query: CatalogueQuery): Promise<CatalogueResponse>;
}

const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;

/** Creates a catalogue client. @param options.url base URL; queries are POSTed to `/catalogue/search` below it */
export function createCatalogue(options: { url: string; apiKey: string | undefined; egress: Egress }): Catalogue {
  const { url, apiKey, egress } = options;
  return {
    async search(query) {
      const parsed = responseSchema.safeParse(await postQuery(query));
      if (!parsed.success) throw new CatalogUnavailableError("The catalogue returned an invalid response.");
      return parsed.data;
    },
  };

  async function postQuery(query: CatalogueQuery): Promise<unknown> {
    try {
      const { status, body } = await egress.request({
        url: `${url}/catalogue/search`,
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json",
          ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify(query),
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
