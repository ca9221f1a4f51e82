/**
 * How a shop's checkout is driven, beside what the generic way finds by itself. An exploration writes it, `CheckoutRecipe`
 * keeps it, and workers read it: nothing but zod stands behind it.
 */
import { z } from "zod";

const origin = z
  .url({ protocol: /^https?$/ })
  .max(300)
  .refine((value) => URL.parse(value)?.origin === value, "must be an origin such as https://shop.example");
const address = z.url({ protocol: /^https?$/ }).max(2_048);
const selector = z.string().min(1).max(500);

/** What a checkout's fields are for. */
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

/** What is clicked on the way. */
export const CONTROLS = ["add_to_basket", "checkout", "continue", "pay"] as const;

export const RecipeDefinition = z.strictObject({
  format: z.literal(1),
  /** The page of the basket; null: it is found by the shop's links. */
  basketUrl: address.nullable(),
  /** Where pages of the checkout may be: the shop's own origin first. */
  checkoutOrigins: z.array(origin).min(1).max(10),
  /** Whose frames may hold fields of the card; empty: the shop's own pages alone. Null: nobody has seen them yet. */
  cardFrameOrigins: z.array(origin).max(10).nullable(),
  /** CSS selectors of fields that the generic way does not find. */
  fields: z.partialRecord(z.enum(FIELD_PURPOSES), selector),
  /** The same for what is clicked. */
  controls: z.partialRecord(z.enum(CONTROLS), selector),
  /** The path of the request that pays, where `*` stands for one segment; null: it is known by the click alone. */
  payPath: z.string().max(500).nullable(),
});

export type RecipeDefinition = z.output<typeof RecipeDefinition>;
