/** The carts that a browser context checks out at a sandbox store, their faults and their charges. */
import type { BrowserContext } from "playwright-core";
import type { Attempt, Charge } from "../../sandbox/store/ledger.ts";
import type { SharedStores } from "../sandbox/stores.ts";

export interface CartRecords {
  /** Number of carts whose checkout was started. If 0, the other fields are empty. */
  readonly cartCount: number;
  readonly charges: readonly Charge[];
  readonly amounts: readonly number[];
  /** Outcomes of all payments that reached the store. */
  readonly outcomes: readonly string[];
}

export interface Carts {
  /** Reads the store's records of these carts. */
  readRecords(): Promise<CartRecords>;
}

/**
 * Tracks the carts of a context and configures their faults.
 *
 * @param faults configured for each cart before the request that starts its checkout is sent
 * @param maxCarts number of carts that get the faults
 */
export async function followCarts(
  context: BrowserContext,
  stores: SharedStores,
  store: string,
  faults: readonly string[],
  maxCarts = Number.POSITIVE_INFINITY,
): Promise<Carts> {
  const ids = new Set<string>();
  const cookieName = `basket_${store}`;
  await context.route("**/checkout", async (route, request) => {
    const cookie = (await context.cookies()).find(({ name }) => name === cookieName);
    const id = cookie?.value.split(".")[0];
    if (request.method() === "POST" && id !== undefined && !ids.has(id)) {
      ids.add(id);
      if (ids.size <= maxCarts)
        for (const fault of faults) await stores.setFault(store, fault, { times: 1, cartId: id });
    }
    await route.fallback();
  });
  return {
    async readRecords() {
      if (ids.size === 0) return { cartCount: 0, charges: [], amounts: [], outcomes: [] };
      const ledger: { charges: Charge[]; attempts: Attempt[] } = await stores.admin(`/${store}/charges`);
      const charges = ledger.charges.filter(({ cartId }) => ids.has(cartId));
      const attempts = ledger.attempts.filter(({ cartId }) => ids.has(cartId));
      const amounts = charges.map(({ amountMinor }) => amountMinor);
      return { cartCount: ids.size, charges, amounts, outcomes: attempts.map(({ outcome }) => outcome) };
    },
  };
}
