/** The carts that a browser context takes to the checkout of a sandbox store: their faults, and what they were charged. */
import type { BrowserContext } from "playwright-core";
import type { Attempt, Charge } from "../../sandbox/store/ledger.ts";
import type { SharedStores } from "../sandbox/stores.ts";

export interface Books {
  /** Carts whose checkout was begun. Without any, the rest is empty whatever was charged. */
  readonly cartCount: number;
  readonly charges: readonly Charge[];
  readonly amounts: readonly number[];
  /** Of the payments that reached the store, charged or not. */
  readonly outcomes: readonly string[];
}

export interface Carts {
  /** What the store's ledger has for these carts. */
  books(): Promise<Books>;
}

/**
 * @param faults ordered for each cart, before the request that begins its checkout is sent
 * @param most how many carts get the faults
 */
export async function followCarts(
  context: BrowserContext,
  stores: SharedStores,
  store: string,
  faults: readonly string[],
  most = Number.POSITIVE_INFINITY,
): Promise<Carts> {
  const ids = new Set<string>();
  const cookieName = `basket_${store}`;
  await context.route("**/checkout", async (route, request) => {
    const cookie = (await context.cookies()).find(({ name }) => name === cookieName);
    const id = cookie?.value.split(".")[0];
    if (request.method() === "POST" && id !== undefined && !ids.has(id)) {
      ids.add(id);
      if (ids.size <= most) for (const fault of faults) await stores.order(store, fault, { times: 1, cartId: id });
    }
    await route.fallback();
  });
  return {
    async books() {
      if (ids.size === 0) return { cartCount: 0, charges: [], amounts: [], outcomes: [] };
      const ledger: { charges: Charge[]; attempts: Attempt[] } = await stores.admin(`/${store}/charges`);
      const charges = ledger.charges.filter(({ cartId }) => ids.has(cartId));
      const attempts = ledger.attempts.filter(({ cartId }) => ids.has(cartId));
      const amounts = charges.map(({ amountMinor }) => amountMinor);
      return { cartCount: ids.size, charges, amounts, outcomes: attempts.map(({ outcome }) => outcome) };
    },
  };
}
