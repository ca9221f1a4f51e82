/** The purchase document that the account owner sees and signs with a passkey. */
import { z } from "zod";
import type { DeliveryAddress } from "../quote/ship-to.ts";

/** An integer in minor units of the document's currency. */
const Minor = z.int().min(0);

const Address = {
  /**
   * SHA-256 over the canonical JSON (RFC 8785) of the full address in `ship_to` form, hexadecimal. Pages display the
   * full address separately; the document does not contain it.
   */
  sha256: z.string(),
  recipient: z.string(),
  city: z.string(),
  country_code: z.string(),
};

/** Destination of the goods. */
const Destination = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("cardholder"), ...Address }),
  z.strictObject({ kind: z.literal("other"), ...Address }),
  z.strictObject({ kind: z.literal("pickup"), id: z.string(), name: z.string(), address: z.string().nullable() }),
  /** Sent by email. */
  z.strictObject({ kind: z.literal("digital") }),
]);
export type Destination = z.output<typeof Destination>;

const Cap = Minor.nullable();

/** Rejects unknown members, because pages must display everything that is signed. `web/pages/approve` parses the same. */
export const PurchaseDocument = z.strictObject({
  /** Distinguishes this document from other documents signed with a passkey. */
  type: z.literal("checkout.purchase.2"),
  /** Name of the requesting app or API token. */
  asked_by: z.string(),
  /** The user's original request, as reported by the agent. */
  user_prompt: z.string().nullable(),
  merchant: z.strictObject({
    ...{ id: z.string(), name: z.string(), domain: z.string(), is_test: z.boolean() },
    /** False: explored by the account; the name is the site's own statement. */
    is_pooled: z.boolean(),
  }),
  lines: z
    .array(
      z.strictObject({
        sku: z.string(),
        title: z.string(),
        variant_title: z.string().nullable(),
        quantity: z.int().min(1),
        /** After discounts. */
        total_minor: Minor,
      }),
    )
    .min(1),
  /** Null: chosen and priced at the merchant's checkout, within `amount_minor`. */
  delivery: z
    .strictObject({
      type: z.enum(["shipping", "pickup", "pickup_point", "local_delivery", "digital"]),
      title: z.string(),
      amount_minor: Minor,
    })
    .nullable(),
  destination: Destination,
  /** The exact charge if `amount_is_final`, otherwise the maximum charge. */
  amount_minor: Minor,
  amount_is_final: z.boolean(),
  /** ISO 4217. */
  currency: z.string(),
  card: z.strictObject({ id: z.string(), brand: z.string(), last4: z.string() }),
  /** Origins at which the card may be entered. The checkout ends at any other origin. */
  card_entry: z.strictObject({
    /** The merchant's own origin, which includes subdomains of its site, and those of other checkout pages. */
    page_origins: z.array(z.string()).min(1),
    /** Null: frames of known card processors within the payment form. */
    frame_origins: z.array(z.string()).nullable(),
  }),
  /** Caps set in the request; null if it sets none. */
  constraints: z
    .strictObject({
      max_total_minor: Cap,
      max_shipping_minor: Cap,
      max_subtotal_minor: Cap,
      max_item_minor: Cap,
    })
    .nullable(),
});
export type PurchaseDocument = z.output<typeof PurchaseDocument>;

/** The document as signed. The further members bind the signature to one purchase. */
export const SignedPurchaseDocument = PurchaseDocument.extend({
  approval_id: z.string(),
  order_id: z.string(),
  /** Hexadecimal. */
  dispatch_sha256: z.string(),
  expires_at: z.iso.datetime(),
});

/** Returns the signed form of an address: its digest and a redacted form for recognition. */
export function createAddressDestination(kind: "cardholder" | "other", { sha256, echo }: DeliveryAddress): Destination {
  const { recipient, city, countryCode } = echo;
  return { kind, sha256, recipient, city, country_code: countryCode };
}
