import { z } from "zod";
import { CheckoutQuoteDocument, type CheckoutQuoteQuery } from "../../generated/graphql.ts";
import { defineRoute } from "../../route.ts";
import {
  CART_FIELD_NAMES,
  CartBody,
  LocationShape,
  PickupResolutionShape,
  toCaps,
  toCartInput,
  toLocation,
  toPickupResolution,
  toShipToEcho,
} from "./shapes.ts";

type Quote = Extract<CheckoutQuoteQuery["cartQuote"], { __typename: "CartQuoteSuccess" }>;

/** Merchants state delivery times only as text, in `description`. */
const UnknownTime = z.null().meta({ description: "Always null; delivery times are in `description`." });
const NO_TIMES = { earliest_delivery_at: null, latest_delivery_at: null, ready_by: null };

const QuoteShape = z.object({
  merchant_id: z.string(),
  rail: z.string(),
  fulfillment_options: z.array(
    z.object({
      id: z.string(),
      type: z.enum(["shipping", "pickup", "pickup_point", "local_delivery", "digital"]),
      title: z.string(),
      description: z.string().nullable(),
      carrier: z.null().meta({ description: "Always null; the title may name the carrier." }),
      amount_minor: z.int(),
      currency: z.string(),
      earliest_delivery_at: UnknownTime,
      latest_delivery_at: UnknownTime,
      ready_by: UnknownTime,
      pickup_location_id: z.string().nullable(),
      location: LocationShape.nullable(),
      selected: z.boolean(),
    }),
  ),
  requires_fulfillment_choice: z.boolean(),
  selected_option_id: z.string().nullable(),
  expected_amount_minor: z.int().nullable().meta({ description: "Pass it to dispatch as `amount_minor`." }),
  amount_is_final: z
    .boolean()
    .meta({ description: "Whether the amount is final. If false, it is a maximum: never present it as the total." }),
  subtotal_minor: z.int(),
  charge_estimate_minor: z.int().nullable(),
  charge_cap_minor: z.int().nullable(),
  currency: z.string(),
  basket_url: z.string().nullable(),
  lines: z.array(
    z.object({
      sku: z.string(),
      product_id: z.string().nullable(),
      title: z.string(),
      variant_title: z.string().nullable(),
      quantity: z.int(),
      unit_price_minor: z.int(),
      subtotal_minor: z.int(),
      discount_minor: z.int(),
      total_minor: z.int(),
      currency: z.string(),
      available: z.boolean(),
      requires_shipping: z.boolean(),
      image_url: z.string().nullable(),
      product_url: z.string().nullable(),
    }),
  ),
  ship_to: z
    .object({
      recipient: z.string(),
      city: z.string(),
      province_code: z.string().nullable(),
      postal_code_prefix: z.string(),
      country_code: z.string(),
    })
    .optional(),
  ship_to_sha256: z.string().optional(),
  billing_uses_ship_to: z.boolean(),
  constraints: z.record(z.string(), z.int()).optional(),
  unfulfillable: z
    .object({
      code: z.enum(["address_undeliverable", "no_rates", "item_unavailable", "pickup_only", "minimum_not_met"]),
      message: z.string(),
      skus: z.array(z.string()),
      country_code: z.string().nullable(),
    })
    .optional()
    .meta({ description: "Present if the merchant cannot fulfil the cart." }),
  pickup_resolution: PickupResolutionShape,
});

export const checkoutQuote = defineRoute({
  method: "POST",
  path: "/api/autofill/shopify/quote",
  dialect: "native",
  summary: "Price a cart",
  description: "Returns the price of a cart including delivery, within the caps. Never charges.",
  movesMoney: false,
  query: z.object({}),
  body: CartBody,
  bodyExample:
    '{"merchant_id": "mer_…", "items": [{"sku": "gid://shopify/ProductVariant/710031", "quantity": 2}], "constraints": {"max_total_minor": 5000}}',
  document: CheckoutQuoteDocument,
  variables: ({ body }) => ({ input: toCartInput(body) }),
  fieldNames: CART_FIELD_NAMES,
  toResponse: ({ cartQuote: result }) => (result.__typename === "CartQuoteSuccess" ? toQuote(result) : result),
  success: {
    description: "The quote.",
    schema: QuoteShape,
    example: {
      merchant_id: "mer_1795195756000_k3v9Qm2LxT7a",
      rail: "shopify",
      fulfillment_options: [
        {
          id: "fo_3q2XkYt7mJ9b0cVw1LzRfA",
          type: "shipping",
          title: "Standard",
          description: "3 to 5 working days",
          carrier: null,
          amount_minor: 395,
          currency: "GBP",
          ...NO_TIMES,
          pickup_location_id: null,
          location: null,
          selected: true,
        },
      ],
      requires_fulfillment_choice: false,
      selected_option_id: "fo_3q2XkYt7mJ9b0cVw1LzRfA",
      expected_amount_minor: 2895,
      amount_is_final: true,
      subtotal_minor: 2500,
      charge_estimate_minor: 2895,
      charge_cap_minor: 2895,
      currency: "GBP",
      basket_url: "https://harbour.example/cart/710031:2",
      lines: [],
      billing_uses_ship_to: false,
      constraints: { max_total_minor: 5000 },
      pickup_resolution: {
        status: "not_requested",
        requested: null,
        pickup_location_id: null,
        location: null,
        candidates: [],
        reason: null,
      },
    },
  },
  errors: [
    "not_found",
    "ship_to_invalid",
    "constraints_invalid",
    "ship_to_unsupported",
    "ship_to_with_pickup",
    "constraint_total_exceeded",
    "constraint_shipping_exceeded",
    "constraint_subtotal_exceeded",
    "constraint_item_exceeded",
    "constraint_unverifiable",
    "sku_not_found",
    "catalog_unavailable",
    "not_shopify",
  ],
});

function toQuote(quote: Quote) {
  const { currency, shipTo, constraints, unfulfillable, pickupResolution: pickup } = quote;
  return {
    merchant_id: quote.merchant.merchantId,
    rail: quote.rail,
    fulfillment_options: quote.fulfillmentOptions.map(({ optionId, type, title, description, ...option }) => ({
      ...{ id: optionId, type, title, description, carrier: null },
      amount_minor: option.amount.amountMinor,
      currency,
      ...NO_TIMES,
      pickup_location_id: option.location?.pickupLocationId ?? null,
      location: toLocation(option.location),
      selected: optionId === quote.selectedOptionId,
    })),
    requires_fulfillment_choice: quote.requiresFulfillmentChoice,
    selected_option_id: quote.selectedOptionId,
    expected_amount_minor: quote.expectedAmount?.amountMinor ?? null,
    amount_is_final: quote.amountIsFinal,
    subtotal_minor: quote.subtotal.amountMinor,
    charge_estimate_minor: quote.chargeEstimate?.amountMinor ?? null,
    charge_cap_minor: quote.chargeCap?.amountMinor ?? null,
    currency,
    basket_url: quote.basketUrl,
    lines: quote.lines.map((line) => ({
      sku: line.sku,
      product_id: line.productId,
      title: line.title,
      variant_title: line.variantTitle,
      quantity: line.quantity,
      unit_price_minor: line.unitPrice.amountMinor,
      subtotal_minor: line.subtotal.amountMinor,
      discount_minor: line.discount.amountMinor,
      total_minor: line.total.amountMinor,
      currency,
      available: line.available,
      requires_shipping: line.requiresShipping,
      image_url: line.imageUrl,
      product_url: line.productUrl,
    })),
    ...(shipTo ? { ship_to: toShipToEcho(shipTo), ship_to_sha256: quote.shipToSha256 } : {}),
    billing_uses_ship_to: quote.billingUsesShipTo,
    ...(constraints ? { constraints: toCaps(constraints) } : {}),
    ...(unfulfillable
      ? {
          unfulfillable: {
            code: unfulfillable.code,
            message: unfulfillable.message,
            skus: unfulfillable.skus,
            country_code: unfulfillable.countryCode,
          },
        }
      : {}),
    pickup_resolution: toPickupResolution(pickup),
  };
}
