/** The figures of checkout's refusals, by the names of spec section 7.3. */
import { z } from "zod";
import type { Everything } from "./every-failure.ts";
import type { ErrorCode } from "./generated/graphql.ts";
import { addressMember, PickupResolutionShape, pickupResolutionOf } from "./routes/checkout/shapes.ts";

const Minor = z.int();
const Sku = z.string().meta({ description: "The item that it is about." });

/** What `checkoutFigures` answers, for OpenAPI. */
export const CHECKOUT_FIGURES: Readonly<Partial<Record<ErrorCode, z.ZodObject>>> = {
  ship_to_invalid: z.object({
    detail: z.string().meta({ description: "The member of `ship_to` that is missing or malformed." }),
  }),
  constraint_total_exceeded: z.object({ max_total_minor: Minor, expected_amount_minor: Minor }),
  constraint_shipping_exceeded: z.object({
    max_shipping_minor: Minor,
    shipping_minor: Minor,
    option_id: z.string().nullable().meta({ description: "The delivery that costs so much." }),
  }),
  constraint_subtotal_exceeded: z.object({ max_subtotal_minor: Minor, subtotal_minor: Minor }),
  constraint_item_exceeded: z.object({ sku: Sku, max_item_minor: Minor, unit_price_minor: Minor }),
  sku_not_found: z.object({
    sku: Sku,
    nearest: z
      .array(
        z.object({
          sku: z.string(),
          title: z.string(),
          variant_title: z.string().nullable(),
          price_minor: Minor,
          score: z.number().meta({ description: "0 to 1." }),
        }),
      )
      .meta({ description: "What comes close to it, closest first." }),
  }),
  unsupported_country: z.object({
    supported_countries: z.array(z.string()).meta({ description: "The markets that can be searched." }),
  }),
  constraint_violated: z.object({
    violation: z.string().nullable().meta({ description: "The quote's code; null: other caps than were quoted." }),
    allowed_minor: Minor.nullable(),
    found_minor: Minor.nullable(),
  }),
  shopify_amount_changed: z.object({
    amount_minor: Minor.meta({ description: "What was approved." }),
    expected_amount_minor: Minor.nullable().meta({ description: "What it costs now; null where it is not sold now." }),
    currency: z.string(),
  }),
  pickup_location_unresolved: z.object({ pickup_resolution: PickupResolutionShape }),
};

export function checkoutFigures(failure: Everything): Record<string, unknown> {
  const { code, capMinor, actualMinor, optionId, sku } = failure;
  switch (code) {
    case "ship_to_invalid":
      return { detail: addressMember(failure.detail ?? "") };
    case "constraint_total_exceeded":
      return { max_total_minor: capMinor, expected_amount_minor: actualMinor };
    case "constraint_shipping_exceeded":
      return { max_shipping_minor: capMinor, shipping_minor: actualMinor, option_id: optionId };
    case "constraint_subtotal_exceeded":
      return { max_subtotal_minor: capMinor, subtotal_minor: actualMinor };
    case "constraint_item_exceeded":
      return { sku, max_item_minor: capMinor, unit_price_minor: actualMinor };
    case "sku_not_found":
      return { sku, nearest: failure.nearest?.map(nearestOf) ?? [] };
    case "unsupported_country":
      return { supported_countries: failure.supported };
    case "constraint_violated":
      return { violation: failure.violation, allowed_minor: failure.allowedMinor, found_minor: failure.foundMinor };
    case "shopify_amount_changed": {
      const { approvedMinor, expectedMinor, pricedIn } = failure;
      return { amount_minor: approvedMinor, expected_amount_minor: expectedMinor, currency: pricedIn };
    }
    case "pickup_location_unresolved":
      return failure.resolution ? { pickup_resolution: pickupResolutionOf(failure.resolution) } : {};
    default:
      return {};
  }
}

function nearestOf(product: NonNullable<Everything["nearest"]>[number]) {
  const { sku, title, variantTitle, priceMinor, score } = product;
  return { sku, title, variant_title: variantTitle, price_minor: priceMinor, score };
}
