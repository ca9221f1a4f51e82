/** Fulfilment options of a cart. */
import { createHash } from "node:crypto";
import type { DeliveryGroup } from "../storefront/cart.ts";

export type FulfillmentType = "shipping" | "pickup" | "pickup_point" | "local_delivery" | "digital";

export interface PickupLocation {
  readonly id: string;
  readonly name: string;
  /** Address in one line, as formatted by the merchant. */
  readonly address: string | null;
}

export interface FulfillmentOption {
  /** Digest of the option's properties, independent of the cart: equal on a fresh cart while the offer is unchanged. */
  readonly id: string;
  readonly type: FulfillmentType;
  readonly title: string;
  readonly description: string | null;
  readonly amountMinor: number;
  readonly currency: string;
  readonly location: PickupLocation | null;
  /** Offers of the cart's delivery groups that make up the option, one for each group; empty if nothing is delivered. */
  readonly picks: readonly DeliveryPick[];
}

export interface DeliveryPick {
  readonly groupId: string;
  readonly handle: string;
  readonly amountMinor: number;
}

const TYPES: Readonly<Record<string, FulfillmentType>> = {
  SHIPPING: "shipping",
  RETAIL: "shipping",
  PICK_UP: "pickup",
  PICKUP_POINT: "pickup_point",
  LOCAL: "local_delivery",
  NONE: "digital",
};

/** An offer of one delivery group. */
interface Offer extends DeliveryPick {
  readonly type: FulfillmentType;
  readonly title: string;
  readonly description: string | null;
  readonly currency: string;
  readonly location: PickupLocation | null;
  /** Equal for the same service in several groups, regardless of its price. */
  readonly service: string;
  /** Properties that identify the offer on a fresh cart. */
  readonly facts: readonly (string | number)[];
}

/**
 * Returns the options of a cart, each for the whole cart. Items that ship apart are in several groups. The same service in each
 * of them is one option, at the sum of its prices. A group without that service ships by its cheapest offer. Empty if a group
 * has no offers.
 */
export function toFulfillmentOptions(groups: readonly DeliveryGroup[]): FulfillmentOption[] {
  const offered = groups.map(toOffers);
  if (offered.some((offers) => offers.length === 0)) return [];
  const options = offered.flatMap((offers, at) =>
    offers.map((offer) =>
      combineOffers(offered.map((others, index) => (index === at ? offer : findLike(offer, others)))),
    ),
  );
  return [...new Map(options.map((option) => [option.id, option])).values()];
}

function toOffers({ id: groupId, deliveryOptions }: DeliveryGroup): Offer[] {
  const seen = new Set<string>();
  return deliveryOptions.map(({ handle, title, code, description, deliveryMethodType, estimatedCost }) => {
    const type = TYPES[deliveryMethodType] ?? "shipping";
    const name = title ?? code ?? "Delivery";
    const isCollected = type === "pickup" || type === "pickup_point";
    const facts = [type, name, code ?? "", estimatedCost.amountMinor, estimatedCost.currency];
    // The description may change from cart to cart, so it identifies an offer only where nothing else does.
    const isRepeated = seen.has(JSON.stringify(facts));
    seen.add(JSON.stringify(facts));
    return {
      ...{ groupId, handle, type, title: name, description: description ?? null, ...estimatedCost },
      location: isCollected ? { id: code ?? name, name, address: description ?? null } : null,
      service: JSON.stringify([type, name, code ?? ""]),
      facts: isRepeated ? [...facts, description ?? ""] : facts,
    };
  });
}

/** Returns the offer of a group for the same service; otherwise the cheapest, of the same type if there is one. */
function findLike({ service, type }: Offer, offers: readonly Offer[]): Offer {
  const cheapestOf = (some: readonly Offer[]) =>
    some.toSorted((one, other) => one.amountMinor - other.amountMinor).slice(0, 1);
  const [like] = [
    ...cheapestOf(offers.filter((offer) => offer.service === service)),
    ...cheapestOf(offers.filter((offer) => offer.type === type)),
    ...cheapestOf(offers),
  ];
  if (!like) throw new Error("A group without offers was combined.");
  return like;
}

function combineOffers(offers: readonly Offer[]): FulfillmentOption {
  const [first] = offers;
  if (!first) throw new Error("An option without offers was combined.");
  const isSame = offers.every(({ service }) => service === first.service);
  // Partly delivered: the option needs an address.
  const { type } = offers.find(({ location }) => location === null) ?? first;
  const titles = new Set(offers.map(({ title }) => title));
  const facts = offers.map((offer) => offer.facts).toSorted((one, other) => (String(one) < String(other) ? -1 : 1));
  return {
    id: createOptionId(facts.length === 1 ? first.facts : facts),
    type,
    title: [...titles].join(" + "),
    description: isSame ? first.description : null,
    amountMinor: offers.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
    currency: first.currency,
    location: isSame ? first.location : null,
    picks: offers.map(({ groupId, handle, amountMinor }) => ({ groupId, handle, amountMinor })),
  };
}

/** Returns the option of a cart without physical goods. */
export function createDigitalOption(currency: string): FulfillmentOption {
  const id = createOptionId(["digital", "", "", 0, currency]);
  return {
    id,
    type: "digital",
    title: "Sent by email",
    description: null,
    amountMinor: 0,
    currency,
    location: null,
    picks: [],
  };
}

/** Returns an id from the option's properties, because Storefront API handles are bound to one cart and address. */
function createOptionId(facts: readonly unknown[]): string {
  return `fo_${createHash("sha256").update(JSON.stringify(facts)).digest("base64url").slice(0, 22)}`;
}
