/**
 * Strict parser of the purchase document that is signed. An unknown member makes the document invalid, which prevents
 * signing anything that is not displayed.
 */
import * as z from "zod/mini";

// The content security policy blocks `eval`, and zod's attempt to use it is reported as a violation.
z.config({ jitless: true });

const text = z.string();
const minor = z.int().check(z.minimum(0));
const cap = z.nullable(minor);
const address = { sha256: text, recipient: text, city: text, country_code: text };

const PurchaseDocument = z.strictObject({
  type: z.literal("checkout.purchase.2"),
  approval_id: text,
  order_id: text,
  dispatch_sha256: text,
  expires_at: text,
  asked_by: text,
  user_prompt: z.nullable(text),
  merchant: z.strictObject({ id: text, name: text, domain: text, is_test: z.boolean(), is_pooled: z.boolean() }),
  lines: z.array(
    z.strictObject({
      sku: text,
      title: text,
      variant_title: z.nullable(text),
      quantity: z.int().check(z.minimum(1)),
      total_minor: minor,
    }),
  ),
  delivery: z.nullable(
    z.strictObject({
      type: z.enum(["shipping", "pickup", "pickup_point", "local_delivery", "digital"]),
      title: text,
      amount_minor: minor,
    }),
  ),
  destination: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("cardholder"), ...address }),
    z.strictObject({ kind: z.literal("other"), ...address }),
    z.strictObject({ kind: z.literal("pickup"), id: text, name: text, address: z.nullable(text) }),
    z.strictObject({ kind: z.literal("digital") }),
  ]),
  amount_minor: minor,
  amount_is_final: z.boolean(),
  currency: text,
  card: z.strictObject({ id: text, brand: text, last4: text }),
  card_entry: z.strictObject({
    page_origins: z.array(text).check(z.minLength(1)),
    frame_origins: z.nullable(z.array(text)),
  }),
  constraints: z.nullable(
    z.strictObject({ max_total_minor: cap, max_shipping_minor: cap, max_subtotal_minor: cap, max_item_minor: cap }),
  ),
});

export type PurchaseDocument = z.infer<typeof PurchaseDocument>;

/** Returns the parsed document, or null if a member is missing or unknown. */
export function readPurchaseDocument(given: unknown): PurchaseDocument | null {
  return PurchaseDocument.safeParse(given).data ?? null;
}
