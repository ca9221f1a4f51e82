/** A purchase as its person is shown it, and signs it with their passkey. */
import { z } from "zod";
import type { DeliveryAddress } from "../quote/ship-to.ts";

/** An integer in minor units of the document's currency. */
const Minor = z.int().min(0);

const Address = {
  /** SHA-256 of the whole address as `ship_to` writes it (RFC 8785), hexadecimal: it is shown beside, and not stored here. */
  sha256: z.string(),
  recipient: z.string(),
  city: z.string(),
  country_code: z.string(),
};

/** Where it ends up. */
const Destination = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("cardholder"), ...Address }),
  z.strictObject({ kind: z.literal("other"), ...Address }),
  z.strictObject({ kind: z.literal("pickup"), id: z.string(), name: z.string(), address: z.string().nullable() }),
  /** Sent by email. */
  z.strictObject({ kind: z.literal("digital") }),
]);
export type Destination = z.output<typeof Destination>;

const Cap = Minor.nullable();

/** Unknown members are refused: what is not shown must not be signed. The pages read the same (`web/pages/approve`). */
export const PurchaseDocument = z.strictObject({
  /** Tells it from everything else a passkey signs here. */
  type: z.literal("checkout.purchase.1"),
  /** The name of the app or the token that asks. */
  asked_by: z.string(),
  /** The person's own request, as whoever asks tells it. */
  user_prompt: z.string().nullable(),
  merchant: z.strictObject({ id: z.string(), name: z.string(), domain: z.string(), is_test: z.boolean() }),
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
  /** Null: chosen and priced at the shop's checkout, within `amount_minor`. */
  delivery: z
    .strictObject({
      type: z.enum(["shipping", "pickup", "pickup_point", "local_delivery", "digital"]),
      title: z.string(),
      amount_minor: Minor,
    })
    .nullable(),
  destination: Destination,
  /** The charge itself where `amount_is_final`, else the most that may be charged. */
  amount_minor: Minor,
  amount_is_final: z.boolean(),
  /** ISO 4217. */
  currency: z.string(),
  card: z.strictObject({ id: z.string(), brand: z.string(), last4: z.string() }),
  /** The caps it was asked for with; null: none. */
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

/** What of an address is signed: its digest, and enough to recognise it by. */
export function addressedTo(kind: "cardholder" | "other", { sha256, echo }: DeliveryAddress): Destination {
  const { recipient, city, countryCode } = echo;
  return { kind, sha256, recipient, city, country_code: countryCode };
}
