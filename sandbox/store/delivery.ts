import { createHash } from "node:crypto";
import { type Cart, findVariant } from "./carts.ts";
import type { Store } from "./definition.ts";
import type { Money } from "./money.ts";
import { currencyIn, moneyIn, subtotalOf } from "./pricing.ts";

/** A delivery option for a cart. */
export interface DeliveryOption {
  /** Derived from the cart and, for shipping, the address. It changes with the address. */
  handle: string;
  code: string;
  title: string;
  description: string;
  method: "SHIPPING" | "PICK_UP";
  cost: Money;
  /** Whether the price is a carrier's rate and not from the store's table. */
  isCarrierRate: boolean;
}

/** Whether the cart contains a physical item. */
export function needsDelivery(store: Store, { lines }: Pick<Cart, "lines">): boolean {
  return lines.some(({ variantId }) => findVariant(store, variantId)?.variant.requiresShipping);
}

/** Returns shipping options sorted by price, then pickup locations. Empty if there are none or the address is missing. */
export function deliveryOptions(store: Store, cart: Cart): DeliveryOption[] {
  if (!needsDelivery(store, cart) || cart.faults.includes("no_rates")) return [];
  const accepts = (method: "SHIPPING" | "PICK_UP") => cart.methods.length === 0 || cart.methods.includes(method);
  const { address1, city, provinceCode, zip, countryCode } = cart.address ?? {};
  const place = [address1, city, provinceCode, zip, countryCode];
  const handleOf = (...bound: unknown[]) =>
    createHash("sha256")
      .update(JSON.stringify([cart.id, cart.countryCode, bound]))
      .digest("hex")
      .slice(0, 32);

  const country = cart.address?.countryCode ?? "";
  const free = (from?: number) =>
    from !== undefined && subtotalOf(store, cart).amountMinor >= moneyIn(store, cart.countryCode, from).amountMinor;
  const shipping = store.rates
    .filter(({ countries }) => accepts("SHIPPING") && countries.includes(country))
    .map(({ code, title, description, amountMinor, freeFromMinor, isCarrierRate = false }): DeliveryOption => {
      const cost = moneyIn(store, cart.countryCode, free(freeFromMinor) ? 0 : amountMinor);
      return { handle: handleOf(code, place), code, title, description, method: "SHIPPING", cost, isCarrierRate };
    })
    .sort((one, other) => one.cost.amountMinor - other.cost.amountMinor);

  const handles = cart.lines.map(({ variantId }) => findVariant(store, variantId)?.product.handle ?? "");
  const pickups = store.pickups
    .filter(
      ({ without = [] }) => cart.methods.includes("PICK_UP") && !handles.some((handle) => without.includes(handle)),
    )
    .sort((one, other) => pickupRank(cart, one.handle) - pickupRank(cart, other.handle))
    .map(
      ({ handle, name, address, readyIn }): DeliveryOption => ({
        handle: handleOf("pickup", handle),
        code: handle,
        title: name,
        description: `${address}. Usually ready in ${readyIn}.`,
        method: "PICK_UP",
        cost: { amountMinor: 0, currency: currencyIn(store, cart.countryCode) },
        isCarrierRate: false,
      }),
    );
  return [...shipping, ...pickups];
}

/** Returns the selected option if it still exists, otherwise the first. */
export function selectedOption(options: DeliveryOption[], { selectedHandle }: Cart): DeliveryOption | undefined {
  return options.find(({ handle }) => handle === selectedHandle) ?? options[0];
}

function pickupRank({ pickupHandles }: Cart, handle: string): number {
  const place = pickupHandles.indexOf(handle);
  return place < 0 ? pickupHandles.length : place;
}
