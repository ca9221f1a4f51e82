/** What an exploration found out about a shop, as its worker tells it: what a stranger's pages say, bounded and checked. */
import { code as currencyOf } from "currency-codes";
import { z } from "zod";
import { RecipeDefinition } from "./recipe.ts";

/** A stored text: bounded, one line, and without what PostgreSQL cannot hold. */
const text = (longest: number) =>
  z
    .string()
    .transform((value) => value.toWellFormed().replaceAll("\0", "").replace(/\s+/g, " ").trim().slice(0, longest))
    .pipe(z.string().min(1));
const address = z.url({ protocol: /^https?$/ }).max(2_048);
const country = z.string().regex(/^[A-Z]{2}$/);
const currency = z.string().refine((value) => currencyOf(value) !== undefined, "must be an ISO 4217 code");

/** More is read of no shop: what was asked for comes first. */
export const MAX_PRODUCTS = 500;
/** The country of a shop that does not say where it is. */
export const NOWHERE = "ZZ";

/** What can be put into the basket: one variant of a product. */
export const FoundProduct = z.strictObject({
  /** Unlike every other of the shop. */
  sku: text(200),
  productId: text(200),
  title: text(300),
  variantTitle: text(200).nullable(),
  priceMinor: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
  currency,
  available: z.boolean(),
  imageUrl: address.nullable(),
  /** Leads to the variant where the shop has addresses for variants. */
  productUrl: address,
});

export const ExplorationBody = z
  .strictObject({
    /** The origin of its site. */
    url: z
      .url({ protocol: /^https?$/ })
      .max(300)
      .transform((value) => new URL(value).origin),
    name: text(200),
    currency,
    /** `ZZ` where the shop does not say. */
    countryCode: country,
    /** Countries its checkout offers; empty where it offers no choice. */
    shipsTo: z.array(country).max(300),
    supportsPickup: z.boolean(),
    taxPolicy: z.enum(["included", "added", "unknown"]),
    logoUrl: address.nullable(),
    products: z.array(FoundProduct).min(1).max(MAX_PRODUCTS),
    /** Whether that is all the shop has. */
    isWhole: z.boolean(),
    recipe: RecipeDefinition,
  })
  .refine(({ url, products }) => products.every(({ productUrl }) => new URL(productUrl).origin === url), {
    path: ["products"],
    error: "must be of the shop itself",
  });

export type FoundProduct = z.output<typeof FoundProduct>;
export type Exploration = z.output<typeof ExplorationBody>;
