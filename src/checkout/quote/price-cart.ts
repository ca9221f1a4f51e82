/** Current price of a cart, for a quote and again for the dispatch bound to it. Charges nothing. */
import type { Merchant } from "../../../generated/prisma/client.ts";
import { InvalidRequestError } from "../../platform/errors.ts";
import type { PricingDeps } from "../deps.ts";
import { ShipToUnsupportedError, ShipToWithPickupError } from "../errors.ts";
import { isPooled, type MerchantView } from "../merchants/merchants.ts";
import type { CartRequest } from "../order-request.ts";
import type { DeliveryMethod } from "../storefront/cart.ts";
import { assertVerifiable, assertWithinCaps } from "./constraints.ts";
import type { FulfillmentOption } from "./fulfillment.ts";
import { type PickupResolution, resolvePickup, withoutPickup } from "./pickup.ts";
import { priceShopify } from "./price-shopify.ts";
import { priceWorker } from "./price-worker.ts";
import type { Quote, Unfulfillable } from "./quote.ts";
import type { ShipTo } from "./ship-to.ts";
import { addMaximumTax } from "./tax-ceiling.ts";

/** The merchant and the buyer's address. */
interface Parties {
  readonly merchant: MerchantView;
  /** The cardholder's address; null if the account has no card. */
  readonly home: ShipTo | null;
}

const OPTION = "fulfillmentOptionId";
const UNKNOWN_OPTION = `${OPTION} is not offered for this cart, or no longer at that price. Request a new quote.`;

/** For a merchant without an API. */
const NO_OPTIONS = `${OPTION} is unknown. This merchant offers fulfilment options only at its checkout. Leave it out.`;
const NO_PICKUP: Unfulfillable = {
  code: "no_rates",
  message: "This merchant offers pickup only at its checkout.",
  skus: [],
  countryCode: null,
};

/** Checks that the merchant can serve the destination. @throws {ShipToWithPickupError | ShipToUnsupportedError} */
export function assertDestination({ shipTo, pickup }: CartRequest, merchant: Merchant): void {
  if (shipTo && pickup) throw new ShipToWithPickupError();
  if (shipTo && merchant.rail === "worker") throw new ShipToUnsupportedError();
}

/** Prices a cart. @throws the quote errors of spec section 7.3 */
export async function priceCart(deps: PricingDeps, request: CartRequest, parties: Parties): Promise<Quote> {
  const { merchant } = parties;
  assertDestination(request, merchant);
  return merchant.rail === "worker"
    ? await priceWorkerCart(deps, request, merchant)
    : await priceShopifyCart(deps, request, parties);
}

async function priceWorkerCart(deps: PricingDeps, request: CartRequest, merchant: MerchantView): Promise<Quote> {
  const { items, pickup, fulfillmentOptionId, constraints } = request;
  if (fulfillmentOptionId !== null) throw new InvalidRequestError(NO_OPTIONS, OPTION);
  assertVerifiable(constraints);
  const { currency, lines, subtotalMinor, capMinor, ...priced } = await priceWorker(deps.db, merchant, items);
  // A cart that a dispatch would reject has no amount.
  const unfulfillable = priced.unfulfillable ?? (pickup ? NO_PICKUP : null);
  const costs = { currency, subtotalMinor, items: lines };
  assertWithinCaps(constraints, { ...costs, shippingMinor: null, totalMinor: null, optionId: null });
  const isUnfulfillable = unfulfillable !== null;
  return {
    ...baseQuote(merchant, request),
    currency,
    lines,
    subtotalMinor,
    options: [],
    requiresChoice: false,
    selectedOptionId: null,
    estimateMinor: isUnfulfillable ? null : subtotalMinor,
    capMinor: isUnfulfillable ? null : capMinor,
    expectedMinor: isUnfulfillable ? null : capMinor,
    isFinal: false,
    basketUrl: merchant.url,
    unfulfillable,
    pickup: pickup
      ? withoutPickup("unavailable", pickup.locationId ?? pickup.name, NO_PICKUP.message)
      : withoutPickup("not_requested", null, null),
  };
}

async function priceShopifyCart(deps: PricingDeps, request: CartRequest, { merchant, home }: Parties): Promise<Quote> {
  const { items, fulfillmentOptionId, shipTo, pickup, constraints } = request;
  const address = shipTo?.address ?? home;
  const priced = await priceShopify(deps, merchant, { items, address, methods: deliveryMethods(request) });
  const { currency, lines, subtotalMinor, basketUrl, options, unfulfillable } = priced;
  const shared = { ...baseQuote(merchant, request), currency, lines, subtotalMinor, basketUrl };
  const costs = { currency, subtotalMinor, items: lines };
  if (unfulfillable) {
    assertWithinCaps(constraints, { ...costs, shippingMinor: null, totalMinor: null, optionId: null });
    return {
      ...shared,
      ...UNDECIDED,
      options: [],
      requiresChoice: false,
      unfulfillable,
      pickup: pickupResolution(request, null),
    };
  }
  const resolved = pickup ? resolvePickup(pickup, options) : null;
  const collected = resolved?.option ?? null;
  if (collected && fulfillmentOptionId !== null && fulfillmentOptionId !== collected.id) {
    throw new InvalidRequestError(`${OPTION} is not a pickup at that store. Send one of the two.`, OPTION);
  }
  const requestedId = resolved ? (collected?.id ?? null) : fulfillmentOptionId;
  if (requestedId !== null && !options.some(({ id }) => id === requestedId)) {
    if (shipTo && (await isPickupOption(deps, request, { merchant, home }, requestedId)))
      throw new ShipToWithPickupError();
    throw new InvalidRequestError(UNKNOWN_OPTION, OPTION);
  }
  const chosen = selectOption(options, requestedId, resolved !== null);
  if (!chosen) {
    // No option is selected: a cap that the cheapest option exceeds is exceeded by all. Discounts apply once it is selected.
    const cheapest = findCheapest(options);
    const charge = constraints && cheapest && (await priced.pick(cheapest));
    const shippingMinor = charge?.shippingMinor ?? null;
    const optionId = cheapest?.id ?? null;
    assertWithinCaps(constraints, { ...costs, shippingMinor, totalMinor: charge?.amountMinor ?? null, optionId });
    return {
      ...shared,
      ...UNDECIDED,
      options,
      requiresChoice: true,
      unfulfillable: null,
      pickup: pickupResolution(request, resolved?.resolution ?? null),
    };
  }
  const charge = await priced.pick(chosen);
  if (charge === null) throw new InvalidRequestError(UNKNOWN_OPTION, OPTION);
  const { amountMinor: estimateMinor, shippingMinor } = charge;
  const country = address?.countryCode ?? merchant.countryCode;
  const mayAddTax = !isTaxIncluded(merchant, country);
  const isFinal = !mayAddTax && charge.isStated;
  const capMinor = mayAddTax ? addMaximumTax(estimateMinor, country) : estimateMinor;
  const selectedOptionId = chosen.id;
  assertWithinCaps(constraints, { ...costs, shippingMinor, totalMinor: capMinor, optionId: selectedOptionId });
  return {
    ...shared,
    options,
    requiresChoice: false,
    selectedOptionId,
    estimateMinor,
    capMinor,
    expectedMinor: capMinor,
    isFinal,
    unfulfillable: null,
    pickup: pickupResolution(request, resolved?.resolution ?? resolvedPickup(chosen)),
  };
}

/** Reports whether prices include the destination's tax. A policy read from a merchant's pages is that of its own country. */
function isTaxIncluded(merchant: Merchant, country: string): boolean {
  return merchant.taxPolicy === "included" && (isPooled(merchant) || country === merchant.countryCode);
}

/** Reports whether an option that is not offered for delivery is a pickup option. */
async function isPickupOption(
  deps: PricingDeps,
  { items }: CartRequest,
  { merchant, home }: Parties,
  id: string,
): Promise<boolean> {
  const { options } = await priceShopify(deps, merchant, { items, address: home, methods: ["PICK_UP"] });
  return options.some((option) => option.id === id);
}

/** Returns the resolved store of a selected pickup option; null for other options. */
function resolvedPickup({ location }: FulfillmentOption): PickupResolution | null {
  if (!location) return null;
  return { status: "resolved", requested: null, location, candidates: [], reason: null };
}

const UNDECIDED = {
  selectedOptionId: null,
  estimateMinor: null,
  capMinor: null,
  expectedMinor: null,
  isFinal: false,
} as const;

function baseQuote({ id, rail }: Merchant, { constraints, shipTo }: CartRequest) {
  return {
    merchantId: id,
    rail: rail as "shopify" | "worker",
    constraints,
    shipToEcho: shipTo?.echo ?? null,
    shipToSha256: shipTo?.sha256 ?? null,
  };
}

function deliveryMethods({ shipTo, pickup }: CartRequest): DeliveryMethod[] {
  if (pickup) return ["PICK_UP"];
  return shipTo ? ["SHIPPING"] : ["SHIPPING", "PICK_UP"];
}

/** Returns the requested option, or the only one. Returns null if a choice exists and none was made. */
function selectOption(
  options: readonly FulfillmentOption[],
  id: string | null,
  isCollected: boolean,
): FulfillmentOption | null {
  const [only] = options.length === 1 && !isCollected ? options : [];
  return (id === null ? only : options.find((option) => option.id === id)) ?? null;
}

function findCheapest(options: readonly FulfillmentOption[]): FulfillmentOption | null {
  return options.toSorted((one, other) => one.amountMinor - other.amountMinor)[0] ?? null;
}

/** Returns the pickup resolution. Alongside `ship_to` its status is `unavailable` (spec section 2.12). */
function pickupResolution({ shipTo, pickup }: CartRequest, resolution: PickupResolution | null): PickupResolution {
  if (resolution) return resolution;
  if (shipTo) return withoutPickup("unavailable", null, "The order is delivered.");
  return pickup
    ? withoutPickup("unavailable", pickup.locationId ?? pickup.name, "The merchant offers no pickup for these items.")
    : withoutPickup("not_requested", null, null);
}
