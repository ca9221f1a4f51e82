import type { Egress } from "../../platform/egress/egress.ts";
import { CatalogUnavailableError } from "../errors.ts";
import { createCart, readDelivery } from "../storefront/cart.ts";
import type { FoundProduct } from "../worker-protocol/exploration.ts";

/**
 * Reports whether a store offers pickup, by a cart without an address. Tries the best match, then the most expensive product,
 * because an order may have a minimum. Returns false if the store does not say.
 */
export async function findPickup(
  egress: Egress,
  storeUrl: string,
  { products, country }: { readonly products: readonly FoundProduct[]; readonly country: string },
): Promise<boolean> {
  const available = products.filter((product) => product.available);
  const priciest = available.toSorted((one, other) => other.priceMinor - one.priceMinor);
  const skus = new Set([available[0], priciest[0]].flatMap((product) => product?.sku ?? []));
  try {
    for (const sku of skus) {
      const lines = [{ sku, quantity: 1 }];
      const { cart } = await createCart(egress, storeUrl, { lines, country, address: null, methods: ["PICK_UP"] });
      const groups = cart ? await readDelivery(egress, storeUrl, cart.id) : [];
      const options = groups.flatMap(({ deliveryOptions }) => deliveryOptions);
      if (options.some(({ deliveryMethodType }) => deliveryMethodType === "PICK_UP")) return true;
    }
  } catch (error) {
    if (!(error instanceof CatalogUnavailableError)) throw error;
  }
  return false;
}
