/** The products of a page, each variant by itself, from what it says to machines: schema.org, else Open Graph. */
import { FoundProduct, MAX_PRODUCTS } from "../worker-protocol/exploration.ts";
import { addressOf, hasType, type Node, nodesIn, nodesOf, textOf } from "./linked-data.ts";
import { isAvailable, offersOf, priceOf, readPrice } from "./offers.ts";
import type { PageFacts } from "./read-page.ts";

const LONGEST_SKU = 200;
/** With those that are said twice: a page may name as many as it likes. */
const MAX_VARIANTS = 2 * MAX_PRODUCTS;

/** A variant before it has a number that no other has. */
type Variant = Omit<FoundProduct, "sku"> & { readonly numbers: readonly (string | null)[] };

/** As many as are kept of a whole shop, at most. @param url where the page was found: products of other sites are left out */
export function productsOf(page: PageFacts, url: string): FoundProduct[] {
  const groups = nodesOf(page.linkedData, ["ProductGroup"]);
  const inGroups = new Set(groups.flatMap((group) => nodesIn(group["hasVariant"])));
  const single = nodesOf(page.linkedData, ["Product", "IndividualProduct", "ProductModel"]);
  const variants = [
    ...groups.flatMap((group) => nodesIn(group["hasVariant"]).flatMap((node) => variantsOf(node, url, group))),
    ...single
      .filter((node) => !inGroups.has(node) && !hasType(node, "ProductGroup"))
      .flatMap((node) => variantsOf(node, url, null)),
  ];
  return numbered(variants.length > 0 ? variants : fromOpenGraph(page, url));
}

function variantsOf(node: Node, url: string, group: Node | null): Variant[] {
  const name = textOf(node["name"]);
  const title = (group && textOf(group["name"])) ?? name;
  if (title === null) return [];
  const page = addressOf(node["url"], url) ?? url;
  const offers = offersOf(node);
  return offers.flatMap((offer) => {
    const price = priceOf(offer);
    const productUrl = addressOf(offer["url"], url) ?? page;
    if (!price || new URL(productUrl).origin !== new URL(url).origin) return [];
    const isOnly = offers.length === 1;
    return {
      ...{ title, variantTitle: variantTitleOf(node, offer, title), ...price, productUrl },
      productId: textOf(group?.["productGroupID"]) ?? (group ? null : textOf(node["productID"])) ?? pathOf(page),
      available: isAvailable(offer["availability"]),
      imageUrl: addressOf(node["image"], url) ?? addressOf(group?.["image"], url),
      numbers: [textOf(offer["sku"]), isOnly ? textOf(node["sku"]) : null, isOnly ? textOf(node["mpn"]) : null],
    };
  });
}

/** What tells it from its sisters: its own name, else its options. */
function variantTitleOf(node: Node, offer: Node, title: string): string | null {
  for (const name of [textOf(offer["name"]), textOf(node["name"])]) {
    if (name === null || name === title) continue;
    const rest = name.startsWith(title) ? name.slice(title.length).replace(/^[\s\-–—/,:(]+|\)$/g, "") : name;
    if (rest !== "") return rest;
  }
  const options = [node["size"], node["color"], node["material"]].flatMap((value) => textOf(value) ?? []);
  return options.length > 0 && textOf(node["name"]) !== title ? options.join(" / ") : null;
}

function fromOpenGraph({ meta }: PageFacts, url: string): Variant[] {
  const first = (...names: string[]) => names.map((name) => meta.get(name)).find((value) => value) ?? null;
  const title = first("og:title", "name");
  const price = first("product:price:amount", "og:price:amount", "price");
  const currency = first("product:price:currency", "og:price:currency", "pricecurrency")?.toUpperCase();
  const read = price !== null && currency ? readPrice(price, currency) : null;
  if (title === null || !read) return [];
  return [
    {
      ...{ title, variantTitle: null, ...read, productUrl: url, productId: pathOf(url) },
      available: isAvailable(first("product:availability", "og:availability", "availability")),
      imageUrl: addressOf(first("og:image"), url),
      numbers: [first("product:retailer_item_id", "sku")],
    },
  ];
}

/** The shop's own number where it tells variants apart, else its address, else that and its name: the same at each reading. */
function numbered(given: readonly Variant[]): FoundProduct[] {
  // Themes and their plugins often say the same twice.
  const keyOf = ({ numbers, productUrl, variantTitle }: Variant) => JSON.stringify([numbers, productUrl, variantTitle]);
  const once = [...Map.groupBy(given.slice(0, MAX_VARIANTS), keyOf).values()];
  const variants = once.flatMap(([first]) => first ?? []).slice(0, MAX_PRODUCTS);
  const candidates = variants.map(({ numbers, productUrl, variantTitle }) => {
    const path = pathOf(productUrl);
    return [...numbers, path, variantTitle === null ? null : `${path}#${variantTitle}`];
  });
  // What several variants have is the product's, not theirs.
  const counts = new Map<string | null, number>();
  for (const one of candidates.flatMap((of) => [...new Set(of)])) counts.set(one, (counts.get(one) ?? 0) + 1);
  return variants.flatMap(({ numbers: _numbers, ...variant }, at) => {
    const sku = candidates[at]?.find((one) => one !== null && one.length <= LONGEST_SKU && counts.get(one) === 1);
    return FoundProduct.safeParse({ sku, ...variant }).data ?? [];
  });
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}
