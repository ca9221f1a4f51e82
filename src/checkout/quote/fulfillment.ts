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
  /** Identifiers of the option within this cart; null if it need not be selected. */
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

export function toFulfillmentOptions(group: DeliveryGroup): FulfillmentOption[] {
  return group.deliveryOptions.map(({ handle, title, code, description, deliveryMethodType, estimatedCost }) => {
    const type = TYPES[deliveryMethodType] ?? "shipping";
    const name = title ?? code ?? "Delivery";
    const isCollected = type === "pickup" || type === "pickup_point";
    const location = isCollected ? { id: code ?? name, name, address: description ?? null } : null;
    return {
      id: createOptionId([type, name, code ?? "", estimatedCost.amountMinor, estimatedCost.currency]),
      type,
      title: name,
      description: description ?? null,
      ...estimatedCost,
      location,
      pick: { groupId: group.id, handle },
    };
  });
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
    pick: null,
  };
}

/** Returns an id from the option's properties, because Storefront API handles are bound to one cart and address. */
function createOptionId(facts: readonly (string | number)[]): string {
  return `fo_${createHash("sha256").update(JSON.stringify(facts)).digest("base64url").slice(0, 22)}`;
}
