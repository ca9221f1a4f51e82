/** The figures of checkout's refusals, by the names of spec section 7.3. */
import type { Everything } from "./every-failure.ts";
import { pickupResolutionOf } from "./routes/checkout/shapes.ts";

export function checkoutFigures(failure: Everything): Record<string, unknown> {
  const { code, capMinor, actualMinor, optionId, sku } = failure;
  switch (code) {
    case "ship_to_invalid":
      return { detail: failure.detail };
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
