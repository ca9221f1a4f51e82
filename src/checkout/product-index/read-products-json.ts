/** Catalogue pages of `/products.json`, which stores on Shopify publish also where the Storefront API is closed. */
import { z } from "zod";
import { toStorableText } from "../../platform/database/text.ts";
import { CatalogUnavailableError } from "../errors.ts";
import { toMinor } from "../money.ts";
import { type Cursor, pickBest, type ReadProduct, type Step, type StepContext } from "./catalogue-step.ts";
import { PAGES_START } from "./read-pages.ts";

type ProductsJsonCursor = Extract<Cursor, { source: "products_json" }>;

export const PRODUCTS_JSON_START: ProductsJsonCursor = { source: "products_json", page: 1 };

const PAGE_SIZE = 250;
/** Shopify's limit of pages. */
const MAX_PAGES = 100;
const MAX_DESCRIPTION_LENGTH = 2_000;
/** Products below which a page is the last. */
const FULL_PAGE = 30;

const url = z.url({ protocol: /^https?$/ });
const schema = z.object({
  products: z.array(
    z.object({
      id: z.union([z.string(), z.int()]),
      title: z.string().min(1),
      handle: z.string().min(1),
      body_html: z.string().nullish(),
      vendor: z.string().nullish(),
      product_type: z.string().nullish(),
      tags: z.union([z.array(z.string()), z.string()]).nullish(),
      images: z.array(z.object({ src: url })).nullish(),
      variants: z.array(
        z.object({
          id: z.union([z.string(), z.int()]),
          title: z.string(),
          sku: z.string().nullish(),
          price: z.string(),
          compare_at_price: z.string().nullish(),
          available: z.boolean().default(true),
        }),
      ),
    }),
  ),
});
type JsonProduct = z.output<typeof schema>["products"][number];

/** Reads the next page. A site without the file continues with its sitemap. */
export async function readProductsJsonStep(context: StepContext, { page }: ProductsJsonCursor): Promise<Step> {
  const { host, currency } = context;
  const pageUrl = `${host.origin}/products.json?limit=${PAGE_SIZE}&page=${page}`;
  if (!host.isAllowed(pageUrl)) return { next: PAGES_START, wasRequested: false };
  const read = await host.read(pageUrl, "application/json", await context.findValidators(pageUrl));
  const next = page < MAX_PAGES ? ({ source: "products_json", page: page + 1 } as const) : null;
  if (read.kind === "unchanged") {
    return { next, page: { url: pageUrl, products: "unchanged" }, wasRequested: true, wasUnchanged: true };
  }
  const parsed = read.kind === "content" ? schema.safeParse(parseJson(read.text)).data : undefined;
  // Otherwise the pass would count as complete, and remove the products of this page and those after it.
  if (!parsed && page > 1 && read.kind !== "gone") {
    throw new CatalogUnavailableError("The merchant did not respond with its products.");
  }
  if (!parsed) return { next: page === 1 ? PAGES_START : null, wasRequested: true };
  const products = parsed.products.flatMap((product) => toProduct(host.origin, currency, product));
  return {
    next: parsed.products.length < FULL_PAGE ? null : next,
    page: { url: pageUrl, products, ...(read.kind === "content" ? { validators: read.validators } : {}) },
    wasRequested: true,
  };
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return null;
  }
}

function toProduct(origin: string, currency: string, product: JsonProduct): ReadProduct[] {
  const variants = product.variants.flatMap((variant) => {
    const priceMinor = toMinor(variant.price, currency);
    return priceMinor === null ? [] : [{ ...variant, priceMinor }];
  });
  const best = pickBest(variants);
  if (!best) return [];
  const titles = variants.map(({ title }) => title).filter((title) => title !== "Default Title");
  const tags = typeof product.tags === "string" ? product.tags.split(",") : (product.tags ?? []);
  const { compare_at_price: compareAt } = best;
  return [
    {
      ...{ productId: `gid://shopify/Product/${product.id}`, market: "", otherMarkets: [], currency },
      title: toLine(product.title),
      vendor: product.vendor ? toLine(product.vendor) : null,
      sku: `gid://shopify/ProductVariant/${best.id}`,
      variantTitle: best.title === "Default Title" ? null : toLine(best.title),
      ...{ priceMinor: best.priceMinor, available: best.available },
      compareAtMinor: compareAt ? toMinor(compareAt, currency) : null,
      imageUrl: product.images?.[0]?.src ?? null,
      productUrl: `${origin}/products/${encodeURIComponent(product.handle)}?variant=${best.id}`,
      keywords: [product.product_type ?? "", ...tags, ...titles, ...variants.flatMap(({ sku }) => sku ?? [])],
      description: toText(product.body_html ?? ""),
    },
  ];
}

const toLine = (value: string) => toStorableText(value).replace(/\s+/g, " ").trim();
const toText = (html: string) =>
  toStorableText(html.slice(0, 4 * MAX_DESCRIPTION_LENGTH))
    .replace(/<[^>]*>/g, " ")
    .slice(0, MAX_DESCRIPTION_LENGTH);
