/** Products of a page, one per variant, from its structured data: schema.org, otherwise Open Graph. */
import { FoundProduct, MAX_PRODUCTS } from "../worker-protocol/exploration.ts";
import { findNodes, hasType, type Node, readText, readUrl, toNodes } from "./linked-data.ts";
import { findOffers, isAvailable, readOfferPrice, readPrice } from "./offers.ts";
import type { PageFacts } from "./read-page.ts";

const MAX_SKU_LENGTH = 200;
/** Maximum number of variants read per page, including duplicates. */
const MAX_VARIANTS = 2 * MAX_PRODUCTS;

/** A variant without a unique sku. */
type Variant = Omit<FoundProduct, "sku"> & { readonly numbers: readonly (string | null)[] };

/** Returns at most `MAX_PRODUCTS` products of a page. @param url URL of the page; products of other origins are omitted */
export function extractProducts(page: PageFacts, url: string): FoundProduct[] {
  const groups = findNodes(page.linkedData, ["ProductGroup"]);
  const inGroups = new Set(groups.flatMap((group) => toNodes(group["hasVariant"])));
  const single = findNodes(page.linkedData, ["Product", "IndividualProduct", "ProductModel"]);
  const variants = [
    ...groups.flatMap((group) => toNodes(group["hasVariant"]).flatMap((node) => extractVariants(node, url, group))),
    ...single
      .filter((node) => !inGroups.has(node) && !hasType(node, "ProductGroup"))
      .flatMap((node) => extractVariants(node, url, null)),
  ];
  return assignSkus(variants.length > 0 ? variants : extractOpenGraphProduct(page, url));
}

function extractVariants(node: Node, url: string, group: Node | null): Variant[] {
  const name = readText(node["name"]);
  const title = (group && readText(group["name"])) ?? name;
  if (title === null) return [];
  const page = readUrl(node["url"], url) ?? url;
  const offers = findOffers(node);
  return offers.flatMap((offer) => {
    const price = readOfferPrice(offer);
    const productUrl = readUrl(offer["url"], url) ?? page;
    if (!price || new URL(productUrl).origin !== new URL(url).origin) return [];
    const isOnly = offers.length === 1;
    return {
      ...{ title, variantTitle: readVariantTitle(node, offer, title), ...price, productUrl },
      productId: readText(group?.["productGroupID"]) ?? (group ? null : readText(node["productID"])) ?? toPath(page),
      available: isAvailable(offer["availability"]),
      imageUrl: readUrl(node["image"], url) ?? readUrl(group?.["image"], url),
      numbers: [readText(offer["sku"]), isOnly ? readText(node["sku"]) : null, isOnly ? readText(node["mpn"]) : null],
    };
  });
}

/** Returns the title that distinguishes a variant within its product: its own name, otherwise its options. */
function readVariantTitle(node: Node, offer: Node, title: string): string | null {
  for (const name of [readText(offer["name"]), readText(node["name"])]) {
    if (name === null || name === title) continue;
    const rest = name.startsWith(title) ? name.slice(title.length).replace(/^[\s\-–—/,:(]+|\)$/g, "") : name;
    if (rest !== "") return rest;
  }
  const options = [node["size"], node["color"], node["material"]].flatMap((value) => readText(value) ?? []);
  return options.length > 0 && readText(node["name"]) !== title ? options.join(" / ") : null;
}

function extractOpenGraphProduct({ meta }: PageFacts, url: string): Variant[] {
  const first = (...names: string[]) => names.map((name) => meta.get(name)).find((value) => value) ?? null;
  const title = first("og:title", "name");
  const price = first("product:price:amount", "og:price:amount", "price");
  const currency = first("product:price:currency", "og:price:currency", "pricecurrency")?.toUpperCase();
  const read = price !== null && currency ? readPrice(price, currency) : null;
  if (title === null || !read) return [];
  return [
    {
      ...{ title, variantTitle: null, ...read, productUrl: url, productId: toPath(url) },
      available: isAvailable(first("product:availability", "og:availability", "availability")),
      imageUrl: readUrl(first("og:image"), url),
      numbers: [first("product:retailer_item_id", "sku")],
    },
  ];
}

/**
 * Assigns each variant a sku that is unique and stable across reads. Uses the merchant's number if unique, otherwise the
 * path of its page, otherwise the path with the variant's title.
 */
function assignSkus(given: readonly Variant[]): FoundProduct[] {
  // Themes and their plugins often output the same data twice.
  const keyOf = ({ numbers, productUrl, variantTitle }: Variant) => JSON.stringify([numbers, productUrl, variantTitle]);
  const once = [...Map.groupBy(given.slice(0, MAX_VARIANTS), keyOf).values()];
  const variants = once.flatMap(([first]) => first ?? []).slice(0, MAX_PRODUCTS);
  const candidates = variants.map(({ numbers, productUrl, variantTitle }) => {
    const path = toPath(productUrl);
    return [...numbers, path, variantTitle === null ? null : `${path}#${variantTitle}`];
  });
  // A value shared by several variants belongs to the product, not to a variant.
  const counts = new Map<string | null, number>();
  for (const one of candidates.flatMap((of) => [...new Set(of)])) counts.set(one, (counts.get(one) ?? 0) + 1);
  return variants.flatMap(({ numbers: _numbers, ...variant }, at) => {
    const sku = candidates[at]?.find((one) => one !== null && one.length <= MAX_SKU_LENGTH && counts.get(one) === 1);
    return FoundProduct.safeParse({ sku, ...variant }).data ?? [];
  });
}

function toPath(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}
