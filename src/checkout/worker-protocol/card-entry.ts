/**
 * Origins at which an order's card may be entered. They are fixed when the order is placed, and signed if the purchase
 * requires an approval. Depends only on zod.
 */
import { z } from "zod";
import { RecipeDefinition } from "./recipe.ts";

const origin = z
  .url({ protocol: /^https?$/ })
  .max(300)
  .refine((value) => URL.parse(value)?.origin === value, "must be an origin such as https://store.example");

export const CardEntry = z.strictObject({
  /** Origins of the checkout's pages, the merchant's own first. Subdomains of the merchant's site count as its own. */
  pageOrigins: z.array(origin).min(1).max(11),
  /**
   * Origins whose frames and hosted payment pages may contain card fields, besides the pages themselves. Null: unknown; then
   * only known card processors, in frames inside the paying form or on pages to which the merchant redirects.
   */
  frameOrigins: z.array(origin).max(10).nullable(),
});
export type CardEntry = z.output<typeof CardEntry>;

/** Returns the card entry of a purchase at a merchant. @param definition the merchant's recipe, if it has one */
export function createCardEntry(merchantUrl: string, definition: unknown): CardEntry {
  const recipe = RecipeDefinition.safeParse(definition).data;
  const { origin: merchantOrigin } = new URL(merchantUrl);
  const pageOrigins = [...new Set([merchantOrigin, ...(recipe?.checkoutOrigins ?? [])])];
  return { pageOrigins, frameOrigins: recipe?.cardFrameOrigins ?? null };
}

/**
 * Whether a URL's origin matches a pattern: an origin, or one whose host starts with `*.`, which matches every subdomain.
 * Scheme and port must be equal.
 */
export function isOriginMatch(pattern: string, url: string): boolean {
  const actual = URL.parse(url);
  if (!actual || actual.origin === "null") return false;
  if (!pattern.includes("//*.")) return actual.origin === pattern;
  const parent = new URL(pattern.replace("//*.", "//"));
  return (
    actual.protocol === parent.protocol &&
    actual.port === parent.port &&
    actual.hostname.endsWith(`.${parent.hostname}`)
  );
}
