/** Schemas of merchants and carts in the checkout routes, in snake case (decisions, "Checkout bodies"). */
import { z } from "zod";
import { isStorableText } from "../../../src/platform/database/text.ts";
import { createFailure, RejectedInputError } from "../../failure-response.ts";
import type {
  CartConstraintsFieldsFragment,
  MerchantFieldsFragment,
  PickupLocationFieldsFragment,
  PickupResolutionFieldsFragment,
  ShipToEchoFieldsFragment,
  ShipToInput,
} from "../../generated/graphql.ts";
import { describeKnownNames } from "../../nearest-name.ts";
import { idOrNone, toGlobalId } from "../../parameters.ts";

/** User-assigned code of ISO 3166 for a merchant whose country is unknown. */
const UNKNOWN_COUNTRY = "ZZ";

export const MerchantShape = z.object({
  id: z.string(),
  name: z.string(),
  domain: z.string(),
  rail: z.enum(["shopify", "worker"]),
  is_test: z.boolean().meta({ description: "Whether this is a test merchant: no real money moves." }),
  is_pooled: z.boolean().meta({
    description:
      "Whether the merchant is in the approved pool. Any other merchant was explored by this account and states its own name and country.",
  }),
  currency: z.string(),
  country_code: z.string(),
  logo_url: z.string().nullable(),
  ships_to: z.array(z.string()),
  supports: z.object({ ship_to: z.boolean(), pickup: z.boolean() }),
  tax_policy: z.enum(["included", "added", "unknown"]),
  catalogue_updated_at: z.string().nullable(),
});

export function toMerchant(merchant: MerchantFieldsFragment) {
  return {
    id: merchant.merchantId,
    name: merchant.name,
    domain: merchant.domain,
    rail: merchant.rail,
    is_test: merchant.isTest,
    is_pooled: merchant.isPooled,
    currency: merchant.currency,
    country_code: merchant.countryCode ?? UNKNOWN_COUNTRY,
    logo_url: merchant.logoUrl,
    ships_to: merchant.shipsTo,
    supports: { ship_to: merchant.supportsShipTo, pickup: merchant.supportsPickup },
    tax_policy: merchant.taxPolicy,
    catalogue_updated_at: merchant.catalogueUpdatedAt,
  };
}

export const MERCHANT_EXAMPLE = {
  id: "mer_1795195756000_k3v9Qm2LxT7a",
  name: "Harbour Outfitters",
  domain: "harbour.example",
  rail: "shopify",
  is_test: false,
  is_pooled: true,
  currency: "GBP",
  country_code: "GB",
  logo_url: null,
  ships_to: ["GB", "IE"],
  supports: { ship_to: true, pickup: true },
  tax_policy: "included",
  catalogue_updated_at: null,
};

/** The merchant summary in product results. */
export const MerchantBriefShape = MerchantShape.pick({
  ...{ id: true, name: true, domain: true, rail: true, is_test: true, is_pooled: true },
});

export function toMerchantBrief({ merchantId: id, name, domain, rail, isTest, isPooled }: MerchantFieldsFragment) {
  return { id, name, domain, rail, is_test: isTest, is_pooled: isPooled };
}

/** The next step for a merchant that Satchel has never bought from. */
export const OnboardShape = z.object({
  merchant_url: z.string(),
  domain: z.string(),
  reason: z.literal("never_bought"),
  next: z.object({ method: z.literal("POST"), path: z.literal("/api/autofill/explore") }),
});

export function toOnboard(url: string) {
  const next = { method: "POST", path: "/api/autofill/explore" } as const;
  return { merchant_url: url, domain: new URL(url).host, reason: "never_bought" as const, next };
}

export const UNSTORABLE = "holds text that is not valid Unicode, or a NUL character";

/** Any object: invalid members are reported with the code `ship_to_invalid`. */
const ShipToBody = z.record(z.string(), z.unknown()).meta({
  description:
    "A delivery address other than the cardholder's: `first_name`, `last_name`, `company`, `address1`, `address2`, `city`, `province_code`, `postal_code`, `country_code`, `phone`.",
});
/** Any object: invalid members are reported with the code `constraints_invalid`. */
const ConstraintsBody = z.record(z.string(), z.unknown()).meta({
  description: "Caps in minor units: `max_total_minor`, `max_shipping_minor`, `max_subtotal_minor`, `max_item_minor`.",
});
const ItemsBody = z
  .array(z.object({ sku: z.string(), quantity: z.int32("must be a whole number").nullish() }))
  .meta({ description: "The items to buy; `quantity` defaults to 1." });

/** The cart of a quote and of the dispatch that is bound to it. */
export const CartBody = z.object({
  merchant_id: z
    .string()
    .min(1, "is missing")
    .refine(isStorableText, UNSTORABLE)
    .meta({ description: "The merchant's `id`." }),
  items: ItemsBody,
  fulfillment_option_id: z.string().nullish().meta({ description: "ID of the chosen delivery option." }),
  pickup_location: z
    .string()
    .nullish()
    .meta({ description: "The branch to collect from, in the account owner's words." }),
  pickup_location_id: z
    .string()
    .nullish()
    .meta({ description: "ID of the branch to collect from; takes precedence over `pickup_location`." }),
  ship_to: ShipToBody.nullish(),
  constraints: ConstraintsBody.nullish(),
});

export function toCartInput(body: z.output<typeof CartBody>) {
  return {
    merchantId: toGlobalId("Merchant", idOrNone(body.merchant_id)),
    items: body.items.map(({ sku, quantity }) => ({ sku, quantity: quantity ?? null })),
    fulfillmentOptionId: body.fulfillment_option_id ?? null,
    pickupLocation: body.pickup_location ?? null,
    pickupLocationId: body.pickup_location_id ?? null,
    shipTo: body.ship_to ? toShipToInput(body.ship_to) : null,
    constraints: body.constraints ? toConstraintsInput(body.constraints) : null,
  };
}

const ADDRESS = {
  first_name: "firstName",
  last_name: "lastName",
  company: "company",
  address1: "address1",
  address2: "address2",
  city: "city",
  province_code: "provinceCode",
  postal_code: "postalCode",
  country_code: "countryCode",
  phone: "phone",
} as const satisfies Record<string, keyof ShipToInput>;

/** Returns the REST name of an address field from its GraphQL name, or the name itself if there is none. */
export function getAddressMember(field: string): string {
  return Object.entries(ADDRESS).find(([, known]) => known === field)?.[0] ?? field;
}

/** @throws {RejectedInputError} for an unknown member or one that is not text: a partial address must not be used. */
function toShipToInput(body: Readonly<Record<string, unknown>>): ShipToInput {
  for (const [name, value] of Object.entries(body)) {
    if (!Object.hasOwn(ADDRESS, name))
      throw createAddressError(name, `is unknown. ${describeKnownNames(name, Object.keys(ADDRESS), "members")}`);
    if (value !== null && typeof value !== "string") throw createAddressError(name, "must be text.");
  }
  const members = Object.entries(ADDRESS).map(([name, field]) => [field, body[name] ?? null]);
  return Object.fromEntries(members) as ShipToInput;
}

function createAddressError(detail: string, problem: string): RejectedInputError {
  const field = `ship_to.${detail}`;
  return new RejectedInputError(createFailure("ship_to_invalid", `${field} ${problem}`, { field, detail }));
}

/** REST names of the caps, each with its names in input and results. */
const CAPS = {
  max_total_minor: ["maxTotalMinor", "maxTotal"],
  max_shipping_minor: ["maxShippingMinor", "maxShipping"],
  max_subtotal_minor: ["maxSubtotalMinor", "maxSubtotal"],
  max_item_minor: ["maxItemMinor", "maxItem"],
} as const;

/**
 * Converts caps to GraphQL input. A value that is no integer is passed on as -1, which the operation rejects by name.
 *
 * @throws {RejectedInputError} for an unknown cap, which must not count as no cap.
 */
function toConstraintsInput(body: Readonly<Record<string, unknown>>) {
  const unknownCap = Object.keys(body).find((name) => !Object.hasOwn(CAPS, name));
  if (unknownCap !== undefined) {
    const field = `constraints.${unknownCap}`;
    const text = `${field} is unknown. ${describeKnownNames(unknownCap, Object.keys(CAPS), "caps")}`;
    throw new RejectedInputError(createFailure("constraints_invalid", text, { field }));
  }
  const caps = Object.entries(CAPS).map(([name, [field]]) => {
    if (!Object.hasOwn(body, name)) return [field, null];
    return [field, Number.isSafeInteger(body[name]) ? body[name] : -1];
  });
  return Object.fromEntries(caps);
}

/** REST names of cart fields by GraphQL name. */
export const CART_FIELD_NAMES: Readonly<Record<string, string>> = {
  merchantId: "merchant_id",
  fulfillmentOptionId: "fulfillment_option_id",
  pickupLocation: "pickup_location",
  pickupLocationId: "pickup_location_id",
  ...Object.fromEntries(Object.entries(ADDRESS).map(([name, field]) => [`shipTo.${field}`, `ship_to.${name}`])),
  ...Object.fromEntries(Object.entries(CAPS).map(([name, [field]]) => [`constraints.${field}`, `constraints.${name}`])),
};

/** Returns the caps that are set, by REST name. */
export function toCaps(constraints: CartConstraintsFieldsFragment): Record<string, number> {
  const caps = Object.entries(CAPS).map(([name, [, field]]) => [name, constraints[field]?.amountMinor] as const);
  return Object.fromEntries(caps.filter((cap): cap is [string, number] => typeof cap[1] === "number"));
}

export function toShipToEcho(shipTo: ShipToEchoFieldsFragment) {
  return {
    recipient: shipTo.recipient,
    city: shipTo.city,
    province_code: shipTo.provinceCode,
    postal_code_prefix: shipTo.postalCodePrefix,
    country_code: shipTo.countryCode,
  };
}

const UnknownPart = z.null().meta({ description: "Always null; `address1` has the whole address." });
const UNKNOWN_PARTS = { city: null, province_code: null, postal_code: null, country_code: null, distance_m: null };
export const LocationShape = z.object({
  id: z.string(),
  name: z.string(),
  address1: z.string().nullable().meta({ description: "The whole address in one line." }),
  city: UnknownPart,
  province_code: UnknownPart,
  postal_code: UnknownPart,
  country_code: UnknownPart,
  distance_m: UnknownPart,
});
const CandidateShape = z.object({
  pickup_location_id: z.string(),
  name: z.string(),
  distance_m: z.null().meta({ description: "Always null; merchants do not report distances." }),
  available: z
    .literal(true)
    .meta({ description: "Always true: only branches with the items in stock are candidates." }),
});
export const PickupResolutionShape = z.object({
  status: z.enum(["resolved", "ambiguous", "not_found", "unavailable", "not_requested"]),
  requested: z.string().nullable(),
  pickup_location_id: z.string().nullable(),
  location: LocationShape.nullable(),
  candidates: z.array(CandidateShape),
  reason: z.string().nullable(),
});

export function toLocation(location: PickupLocationFieldsFragment | null) {
  return (
    location && { id: location.pickupLocationId, name: location.name, address1: location.address, ...UNKNOWN_PARTS }
  );
}

export function toPickupResolution({
  status,
  requested,
  location,
  candidates,
  reason,
}: PickupResolutionFieldsFragment) {
  return {
    status,
    requested,
    pickup_location_id: location?.pickupLocationId ?? null,
    location: toLocation(location),
    candidates: candidates.map(({ pickupLocationId, name }) => ({
      ...{ pickup_location_id: pickupLocationId, name },
      ...{ distance_m: null, available: true },
    })),
    reason,
  };
}
