/** The ways to get what is in a cart. */
import { createHash } from "node:crypto";
import type { DeliveryGroup } from "../storefront/cart.ts";

export type FulfillmentType = "shipping" | "pickup" | "pickup_point" | "local_delivery" | "digital";

export interface PickupLocation {
  readonly id: string;
  readonly name: string;
  /** As the shop writes it, in one line. */
  readonly address: string | null;
}

export interface FulfillmentOption {
  /** Of what the option is, not of the cart it was read from: the same on a fresh cart while the shop offers the same. */
  readonly id: string;
  readonly type: FulfillmentType;
  readonly title: string;
  readonly description: string | null;
  readonly amountMinor: number;
  readonly currency: string;
  readonly location: PickupLocation | null;
  /** How this cart names it; null where nothing has to be picked. */
  readonly pick: { readonly groupId: string; readonly handle: string } | null;
}

const TYPES: Readonly<Record<string, FulfillmentType>> = {
  SHIPPING: "shipping",
  RETAIL: "shipping",
  PICK_UP: "pickup",
  PICKUP_POINT: "pickup_point",
  LOCAL: "local_delivery",
  NONE: "digital",
};

export function optionsOf(group: DeliveryGroup): FulfillmentOption[] {
  return group.deliveryOptions.map(({ handle, title, code, description, deliveryMethodType, estimatedCost }) => {
    const type = TYPES[deliveryMethodType] ?? "shipping";
    const name = title ?? code ?? "Delivery";
    const isCollected = type === "pickup" || type === "pickup_point";
    const place = isCollected ? { id: code ?? name, name, address: description ?? null } : null;
    return {
      id: optionId([type, name, code ?? "", estimatedCost.amountMinor, estimatedCost.currency]),
      type,
      title: name,
      description: description ?? null,
      ...estimatedCost,
      location: place,
      pick: { groupId: group.id, handle },
    };
  });
}

/** What nothing has to be sent for. */
export function digitalOption(currency: string): FulfillmentOption {
  const id = optionId(["digital", "", "", 0, currency]);
  return {
    id,
    type: "digital",
    title: "Sent by email",
    description: null,
    amountMinor: 0,
    currency,
    location: null,
    pick: null,
  };
}

/** Handles of the Storefront API are bound to cart and address, so options are told by their title, code and amount. */
function optionId(facts: readonly (string | number)[]): string {
  return `fo_${createHash("sha256").update(JSON.stringify(facts)).digest("base64url").slice(0, 22)}`;
}
