/** Result of an exploration as reported by a worker. It comes from untrusted pages and is therefore limited and validated. */
import { code as currencyOf } from "currency-codes";
import { z } from "zod";
import { RecipeDefinition } from "./recipe.ts";

/** A text of limited length in one line, without characters that PostgreSQL cannot store. */
const text = (longest: number) =>
  z
    .string()
    .transform((value) => value.toWellFormed().replaceAll("\0", "").replace(/\s+/g, " ").trim().slice(0, longest))
    .pipe(z.string().min(1));
const address = z.url({ protocol: /^https?$/ }).max(2_048);
const country = z.string().regex(/^[A-Z]{2}$/);
const currency = z.string().refine((value) => currencyOf(value) !== undefined, "must be an ISO 4217 code");

/** Maximum number of products per merchant; those that match the goal come first. */
export const MAX_PRODUCTS = 500;
/** Country code of a merchant whose country is unknown. */
export const UNKNOWN_COUNTRY = "ZZ";

/** One variant of a product, as it can be added to a cart. */
export const FoundProduct = z.strictObject({
  /** Unique within the merchant. */
  sku: text(200),
  productId: text(200),
  title: text(300),
  variantTitle: text(200).nullable(),
  priceMinor: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
  currency,
  available: z.boolean(),
  imageUrl: address.nullable(),
  /** URL of the variant if variants have their own, otherwise of the product. */
  productUrl: address,
});

export const ExplorationBody = z
  .strictObject({
    /** Origin of the merchant's site. */
    url: z
      .url({ protocol: /^https?$/ })
      .max(300)
      .transform((value) => new URL(value).origin),
    name: text(200),
    currency,
    /** `ZZ` if unknown. */
    countryCode: country,
    /** Countries offered at the checkout; empty if it offers no choice. */
    shipsTo: z.array(country).max(300),
    supportsPickup: z.boolean(),
    taxPolicy: z.enum(["included", "added", "unknown"]),
    logoUrl: address.nullable(),
    products: z.array(FoundProduct).min(1).max(MAX_PRODUCTS),
    /** Whether `products` is the complete catalogue. */
    isWhole: z.boolean(),
    recipe: RecipeDefinition,
  })
  .refine(({ url, products }) => products.every(({ productUrl }) => new URL(productUrl).origin === url), {
    path: ["products"],
    error: "must have the merchant's origin",
  });

export type FoundProduct = z.output<typeof FoundProduct>;
export type Exploration = z.output<typeof ExplorationBody>;
