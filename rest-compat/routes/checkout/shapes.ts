/** Merchants and carts as checkout's routes write them: snake case (decisions, "Checkout bodies"). */
import { z } from "zod";
import { failureOf, Refusal } from "../../failure-answer.ts";
import type {
  CartConstraintsFieldsFragment,
  MerchantFieldsFragment,
  PickupLocationFieldsFragment,
  PickupResolutionFieldsFragment,
  ShipToEchoFieldsFragment,
  ShipToInput,
} from "../../generated/graphql.ts";

export const MerchantShape = z.object({
  id: z.string(),
  name: z.string(),
  domain: z.string(),
  rail: z.enum(["shopify", "worker"]),
  is_test: z.boolean().meta({ description: "Run for testing: no real money moves." }),
  currency: z.string(),
  country_code: z.string(),
  logo_url: z.string().nullable(),
  ships_to: z.array(z.string()),
  supports: z.object({ ship_to: z.boolean(), pickup: z.boolean() }),
  tax_policy: z.enum(["included", "added", "unknown"]),
  catalogue_updated_at: z.string().nullable(),
});

export function merchantOf(merchant: MerchantFieldsFragment) {
  return {
    id: merchant.merchantId,
    name: merchant.name,
    domain: merchant.domain,
    rail: merchant.rail,
    is_test: merchant.isTest,
    currency: merchant.currency,
    country_code: merchant.countryCode,
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
  currency: "GBP",
  country_code: "GB",
  logo_url: null,
  ships_to: ["GB", "IE"],
  supports: { ship_to: true, pickup: true },
  tax_policy: "included",
  catalogue_updated_at: null,
};

/** In short, beside a product. */
export const MerchantBriefShape = MerchantShape.pick({ id: true, name: true, domain: true, rail: true, is_test: true });

export function briefOf({ merchantId: id, name, domain, rail, isTest }: MerchantFieldsFragment) {
  return { id, name, domain, rail, is_test: isTest };
}

/** What leads from a shop that was never bought from to one that was. */
export const OnboardShape = z.object({
  merchant_url: z.string(),
  domain: z.string(),
  reason: z.literal("never_bought"),
  next: z.object({ method: z.literal("POST"), path: z.literal("/api/autofill/explore") }),
});

export function onboardOf(url: string) {
  const next = { method: "POST", path: "/api/autofill/explore" } as const;
  return { merchant_url: url, domain: new URL(url).host, reason: "never_bought" as const, next };
}

/** Any object: what is wrong in it is said by the code `ship_to_invalid`. */
const ShipToBody = z.record(z.string(), z.unknown()).meta({
  description:
    "Another address than the cardholder's: `first_name`, `last_name`, `company`, `address1`, `address2`, `city`, `province_code`, `postal_code`, `country_code`, `phone`.",
});
/** Any object: what is wrong in it is said by the code `constraints_invalid`. */
const ConstraintsBody = z.record(z.string(), z.unknown()).meta({
  description: "Caps in minor units: `max_total_minor`, `max_shipping_minor`, `max_subtotal_minor`, `max_item_minor`.",
});
const ItemsBody = z
  .array(z.object({ sku: z.string(), quantity: z.int32("must be a whole number").nullish() }))
  .meta({ description: "What to buy; `quantity` is 1 unless given." });

/** A cart, as a quote and the dispatch that is bound to it name it. */
export const CartBody = z.object({
  merchant_id: z.string().min(1, "is missing").meta({ description: "The shop's `id`." }),
  items: ItemsBody,
  fulfillment_option_id: z.string().nullish().meta({ description: "The chosen one of the options." }),
  pickup_location: z.string().nullish().meta({ description: "The store to collect from, in the person's words." }),
  pickup_location_id: z.string().nullish().meta({ description: "Its id; goes before the words." }),
  ship_to: ShipToBody.nullish(),
  constraints: ConstraintsBody.nullish(),
});

export function cartInput(body: z.output<typeof CartBody>) {
  return {
    merchantId: body.merchant_id,
    items: body.items.map(({ sku, quantity }) => ({ sku, quantity: quantity ?? null })),
    fulfillmentOptionId: body.fulfillment_option_id ?? null,
    pickupLocation: body.pickup_location ?? null,
    pickupLocationId: body.pickup_location_id ?? null,
    shipTo: body.ship_to ? shipToInput(body.ship_to) : null,
    constraints: body.constraints ? constraintsInput(body.constraints) : null,
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

/** A member of an address by its REST name, from GraphQL's; the name as it is where it has none. */
export function addressMember(field: string): string {
  return Object.entries(ADDRESS).find(([, known]) => known === field)?.[0] ?? field;
}

/** @throws {Refusal} for a member that is no text or that nobody knows: goods must not go to half an address */
function shipToInput(body: Readonly<Record<string, unknown>>): ShipToInput {
  for (const [name, value] of Object.entries(body)) {
    if (!Object.hasOwn(ADDRESS, name)) throw addressRefusal(name, "is not known");
    if (value !== null && typeof value !== "string") throw addressRefusal(name, "must be text");
  }
  const members = Object.entries(ADDRESS).map(([name, field]) => [field, body[name] ?? null]);
  return Object.fromEntries(members) as ShipToInput;
}

function addressRefusal(detail: string, problem: string): Refusal {
  const field = `ship_to.${detail}`;
  return new Refusal(failureOf("ship_to_invalid", `${field} ${problem}.`, { field, detail }));
}

const CAPS = {
  max_total_minor: "maxTotalMinor",
  max_shipping_minor: "maxShippingMinor",
  max_subtotal_minor: "maxSubtotalMinor",
  max_item_minor: "maxItemMinor",
} as const;

/**
 * What is no integer goes on as -1, which is refused by the cap's name.
 * @throws {Refusal} for a cap of a name that nobody knows: it must not be taken for none
 */
function constraintsInput(body: Readonly<Record<string, unknown>>) {
  const stranger = Object.keys(body).find((name) => !Object.hasOwn(CAPS, name));
  if (stranger !== undefined) {
    const field = `constraints.${stranger}`;
    const text = `${field} is not known. There are ${Object.keys(CAPS).join(", ")}.`;
    throw new Refusal(failureOf("constraints_invalid", text, { field }));
  }
  const caps = Object.entries(CAPS).map(([name, field]) => {
    if (!Object.hasOwn(body, name)) return [field, null];
    return [field, Number.isSafeInteger(body[name]) ? body[name] : -1];
  });
  return Object.fromEntries(caps);
}

/** What routes with a cart call its fields. */
export const CART_FIELD_NAMES: Readonly<Record<string, string>> = {
  merchantId: "merchant_id",
  fulfillmentOptionId: "fulfillment_option_id",
  pickupLocation: "pickup_location",
  pickupLocationId: "pickup_location_id",
  ...Object.fromEntries(Object.entries(ADDRESS).map(([name, field]) => [`shipTo.${field}`, `ship_to.${name}`])),
  ...Object.fromEntries(Object.entries(CAPS).map(([name, field]) => [`constraints.${field}`, `constraints.${name}`])),
};

/** The caps that were set, by the names REST uses. */
export function capsOf(constraints: CartConstraintsFieldsFragment): Record<string, number> {
  const caps = Object.entries(CAPS).map(([name, field]) => [name, constraints[field]] as const);
  return Object.fromEntries(caps.filter((cap): cap is [string, number] => typeof cap[1] === "number"));
}

export function shipToEchoOf(shipTo: ShipToEchoFieldsFragment) {
  return {
    recipient: shipTo.recipient,
    city: shipTo.city,
    province_code: shipTo.provinceCode,
    postal_code_prefix: shipTo.postalCodePrefix,
    country_code: shipTo.countryCode,
  };
}

const UNTOLD = z.null().meta({ description: "No shop tells it apart: see `address1`." });
const NOT_TOLD = { city: null, province_code: null, postal_code: null, country_code: null, distance_m: null };
export const LocationShape = z.object({
  id: z.string(),
  name: z.string(),
  address1: z.string().nullable().meta({ description: "The whole address, in one line." }),
  city: UNTOLD,
  province_code: UNTOLD,
  postal_code: UNTOLD,
  country_code: UNTOLD,
  distance_m: UNTOLD,
});
const CandidateShape = z.object({
  pickup_location_id: z.string(),
  name: z.string(),
  distance_m: z.null().meta({ description: "No shop tells how far it is." }),
  available: z.literal(true).meta({ description: "Only stores that have the items are candidates." }),
});
export const PickupResolutionShape = z.object({
  status: z.enum(["resolved", "ambiguous", "not_found", "unavailable", "not_requested"]),
  requested: z.string().nullable(),
  pickup_location_id: z.string().nullable(),
  location: LocationShape.nullable(),
  candidates: z.array(CandidateShape),
  reason: z.string().nullable(),
});

export function locationOf(location: PickupLocationFieldsFragment | null) {
  return location && { id: location.pickupLocationId, name: location.name, address1: location.address, ...NOT_TOLD };
}

export function pickupResolutionOf({
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
    location: locationOf(location),
    candidates: candidates.map(({ pickupLocationId, name }) => ({
      ...{ pickup_location_id: pickupLocationId, name },
      ...{ distance_m: null, available: true },
    })),
    reason,
  };
}
