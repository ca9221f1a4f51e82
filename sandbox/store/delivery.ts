import { createHash } from "node:crypto";
import { type Cart, findVariant } from "./carts.ts";
import type { Money } from "./money.ts";
import { currencyIn, moneyIn, subtotalOf } from "./pricing.ts";
import type { Shop } from "./shop.ts";

/** One way to get what is in a cart. */
export interface DeliveryOption {
  /** Bound to the cart and, where something is sent, to the address: another one has other handles. */
  handle: string;
  code: string;
  title: string;
  description: string;
  method: "SHIPPING" | "PICK_UP";
  cost: Money;
  /** Priced by a carrier, not from a table. */
  isCarrierRate: boolean;
}

/** True when something in the cart is a thing. */
export function needsDelivery(shop: Shop, { lines }: Pick<Cart, "lines">): boolean {
  return lines.some(({ variantId }) => findVariant(shop, variantId)?.variant.requiresShipping);
}

/** Cheapest first within each kind, collection last. Empty where the shop does not deliver, or knows no address yet. */
export function deliveryOptions(shop: Shop, cart: Cart): DeliveryOption[] {
  if (!needsDelivery(shop, cart) || cart.faults.includes("no_rates")) return [];
  const wants = (method: "SHIPPING" | "PICK_UP") => cart.methods.length === 0 || cart.methods.includes(method);
  const { address1, city, provinceCode, zip, countryCode } = cart.address ?? {};
  const place = [address1, city, provinceCode, zip, countryCode];
  const handleOf = (...bound: unknown[]) =>
    createHash("sha256")
      .update(JSON.stringify([cart.id, cart.countryCode, bound]))
      .digest("hex")
      .slice(0, 32);

  const country = cart.address?.countryCode ?? "";
  const free = (from?: number) =>
    from !== undefined && subtotalOf(shop, cart).amountMinor >= moneyIn(shop, cart.countryCode, from).amountMinor;
  const shipping = shop.rates
    .filter(({ countries }) => wants("SHIPPING") && countries.includes(country))
    .map(({ code, title, description, amountMinor, freeFromMinor, isCarrierRate = false }): DeliveryOption => {
      const cost = moneyIn(shop, cart.countryCode, free(freeFromMinor) ? 0 : amountMinor);
      return { handle: handleOf(code, place), code, title, description, method: "SHIPPING", cost, isCarrierRate };
    })
    .sort((one, other) => one.cost.amountMinor - other.cost.amountMinor);

  const handles = cart.lines.map(({ variantId }) => findVariant(shop, variantId)?.product.handle ?? "");
  const pickups = shop.pickups
    .filter(
      ({ without = [] }) => cart.methods.includes("PICK_UP") && !handles.some((handle) => without.includes(handle)),
    )
    .sort((one, other) => preference(cart, one.handle) - preference(cart, other.handle))
    .map(
      ({ handle, name, address, readyIn }): DeliveryOption => ({
        handle: handleOf("pickup", handle),
        code: handle,
        title: name,
        description: `${address}. Usually ready in ${readyIn}.`,
        method: "PICK_UP",
        cost: { amountMinor: 0, currency: currencyIn(shop, cart.countryCode) },
        isCarrierRate: false,
      }),
    );
  return [...shipping, ...pickups];
}

/** What was picked and still exists, else the first there is. */
export function selectedOption(options: DeliveryOption[], { selectedHandle }: Cart): DeliveryOption | undefined {
  return options.find(({ handle }) => handle === selectedHandle) ?? options[0];
}

function preference({ pickupHandles }: Cart, handle: string): number {
  const place = pickupHandles.indexOf(handle);
  return place < 0 ? pickupHandles.length : place;
}
