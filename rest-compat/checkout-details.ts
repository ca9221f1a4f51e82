/** Error details of the checkout API, with the field names of spec section 7.3. */
import { z } from "zod";
import type { AnyFailure } from "./any-failure.ts";
import type { ErrorCode } from "./generated/graphql.ts";
import { getAddressMember, PickupResolutionShape, toPickupResolution } from "./routes/checkout/shapes.ts";

const Minor = z.int();
const Sku = z.string().meta({ description: "SKU of the item that caused the error." });

/** Schemas of the details that `checkoutFigures` returns, for OpenAPI. */
export const CHECKOUT_DETAILS: Readonly<Partial<Record<ErrorCode, z.ZodObject>>> = {
  ship_to_invalid: z.object({
    detail: z.string().meta({ description: "The member of `ship_to` that is missing or malformed." }),
  }),
  constraint_total_exceeded: z.object({ max_total_minor: Minor, expected_amount_minor: Minor }),
  constraint_shipping_exceeded: z.object({
    max_shipping_minor: Minor,
    shipping_minor: Minor,
    option_id: z.string().nullable().meta({ description: "ID of the delivery option above the cap." }),
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
          score: z.number().meta({ description: "Similarity, from 0 to 1." }),
        }),
      )
      .meta({ description: "Similar products, closest match first." }),
  }),
  unsupported_country: z.object({
    supported_countries: z.array(z.string()).meta({ description: "Countries whose markets can be searched." }),
  }),
  constraint_violated: z.object({
    violation: z.string().nullable().meta({
      description: "Error code of the quote. Null if the caps differ from those of the quote.",
    }),
    allowed_minor: Minor.nullable(),
    found_minor: Minor.nullable(),
  }),
  shopify_amount_changed: z.object({
    amount_minor: Minor.meta({ description: "The approved amount." }),
    expected_amount_minor: Minor.nullable().meta({
      description: "The current amount. Null if the item is currently not for sale.",
    }),
    currency: z.string(),
  }),
  pickup_location_unresolved: z.object({ pickup_resolution: PickupResolutionShape }),
};

export function getCheckoutDetails(failure: AnyFailure): Record<string, unknown> {
  const { code, optionId, sku } = failure;
  const [capMinor, actualMinor] = [failure.cap?.amountMinor, failure.actual?.amountMinor];
  switch (code) {
    case "ship_to_invalid":
      return { detail: getAddressMember(failure.detail ?? "") };
    case "constraint_total_exceeded":
      return { max_total_minor: capMinor, expected_amount_minor: actualMinor };
    case "constraint_shipping_exceeded":
      return { max_shipping_minor: capMinor, shipping_minor: actualMinor, option_id: optionId };
    case "constraint_subtotal_exceeded":
      return { max_subtotal_minor: capMinor, subtotal_minor: actualMinor };
    case "constraint_item_exceeded":
      return { sku, max_item_minor: capMinor, unit_price_minor: actualMinor };
    case "sku_not_found":
      return { sku, nearest: failure.nearest?.map(toNearestProduct) ?? [] };
    case "unsupported_country":
      return { supported_countries: failure.supported };
    case "constraint_violated":
      return {
        violation: failure.violation,
        allowed_minor: failure.allowed?.amountMinor ?? null,
        found_minor: failure.found?.amountMinor ?? null,
      };
    case "shopify_amount_changed": {
      const { approved, expected, pricedIn } = failure;
      return {
        amount_minor: approved?.amountMinor,
        expected_amount_minor: expected?.amountMinor ?? null,
        currency: pricedIn,
      };
    }
    case "pickup_location_unresolved":
      return failure.resolution ? { pickup_resolution: toPickupResolution(failure.resolution) } : {};
    default:
      return {};
  }
}

function toNearestProduct(product: NonNullable<AnyFailure["nearest"]>[number]) {
  const { sku, title, variantTitle, price, score } = product;
  return { sku, title, variant_title: variantTitle, price_minor: price.amountMinor, score };
}
