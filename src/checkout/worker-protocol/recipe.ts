/**
 * Recipe for driving a merchant's checkout: findings that the generic procedure does not detect. Explorations write it,
 * `CheckoutRecipe` stores it and workers read it. Depends only on zod.
 */
import { z } from "zod";

const origin = z
  .url({ protocol: /^https?$/ })
  .max(300)
  .refine((value) => URL.parse(value)?.origin === value, "must be an origin such as https://store.example");
const address = z.url({ protocol: /^https?$/ }).max(2_048);
const selector = z.string().min(1).max(500);

/** Purposes of checkout fields. */
export const FIELD_PURPOSES = [
  "email",
  "phone",
  "first_name",
  "last_name",
  "full_name",
  "company",
  "address1",
  "address2",
  "city",
  "province",
  "postal_code",
  "country",
  "card_number",
  "card_name",
  "card_expiry",
  "card_expiry_month",
  "card_expiry_year",
  "card_security_code",
] as const;
export type FieldPurpose = (typeof FIELD_PURPOSES)[number];

/** Controls that are clicked during a checkout. */
export const CONTROLS = ["add_to_basket", "checkout", "continue", "pay"] as const;

export const RecipeDefinition = z.strictObject({
  format: z.literal(1),
  /** URL of the cart page; null: found through the site's links. */
  basketUrl: address.nullable(),
  /** Permitted origins of checkout pages; the merchant's own origin first. */
  checkoutOrigins: z.array(origin).min(1).max(10),
  /** Origins whose frames may contain card fields. Empty: only the merchant's own pages. Null: not yet seen. */
  cardFrameOrigins: z.array(origin).max(10).nullable(),
  /** CSS selectors of fields that the generic procedure does not find. */
  fields: z.partialRecord(z.enum(FIELD_PURPOSES), selector),
  /** CSS selectors of controls that the generic procedure does not find. */
  controls: z.partialRecord(z.enum(CONTROLS), selector),
  /** Path of the payment request, where `*` matches one segment; null: only the click identifies it. */
  payPath: z.string().max(500).nullable(),
});

export type RecipeDefinition = z.output<typeof RecipeDefinition>;
