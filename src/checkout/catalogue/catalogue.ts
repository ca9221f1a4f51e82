/** A catalogue of many shops: answers which products of given shops match some words, as they are sold to one country. */
import { z } from "zod";
import { readBounded } from "../../platform/egress/body.ts";
import type { Egress } from "../../platform/egress/egress.ts";
import { ServiceError } from "../../platform/errors.ts";
import { CatalogUnavailableError } from "../errors.ts";

/** More shops than this are refused in one call (spec section 8). */
export const MAX_SHOPS_A_CALL = 1_000;

export interface CatalogueQuery {
  readonly query: string;
  readonly country: string;
  /** Hosts, with their port where it is not the usual one. */
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
const answer = z.object({
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

export type CatalogueAnswer = z.output<typeof answer>;
export type CatalogueProduct = CatalogueAnswer["products"][number];

export interface Catalogue {
  /** @throws {CatalogUnavailableError} */
  search(query: CatalogueQuery): Promise<CatalogueAnswer>;
}

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** @param options.url the catalogue's address; queries are posted to `/catalogue/search` below it */
export function createCatalogue(options: { url: string; apiKey: string | undefined; egress: Egress }): Catalogue {
  const { url, apiKey, egress } = options;
  return {
    async search(query) {
      const parsed = answer.safeParse(await ask(query));
      if (!parsed.success) throw new CatalogUnavailableError("The catalogue's answer cannot be read.");
      return parsed.data;
    },
  };

  async function ask(query: CatalogueQuery): Promise<unknown> {
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
      const text = await readBounded(body, MAX_ANSWER_BYTES);
      if (status !== 200) throw new CatalogUnavailableError(`The catalogue answered with status ${status}.`);
      return JSON.parse(text);
    } catch (error) {
      if (error instanceof CatalogUnavailableError) throw error;
      if (!(error instanceof ServiceError || error instanceof SyntaxError)) throw error;
      throw new CatalogUnavailableError("The catalogue did not answer.", { cause: error });
    }
  }
}
