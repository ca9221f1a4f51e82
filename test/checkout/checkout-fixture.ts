/** A service with the sandbox stores and one account. */
import { expect, vi } from "vitest";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";

export interface CheckoutFixture {
  readonly stack: OwnStack;
  readonly account: TestAccount;
  /** Returns the merchant id of the sandbox store with this name. */
  findMerchantId(name: string): Promise<string>;
  findStoreUrl(name: string): string;
  get(path: string): ReturnType<OwnStack["rest"]>;
  quote(body: object): ReturnType<OwnStack["rest"]>;
  /** Configures a fault of a sandbox store for the next `times` requests. */
  configureFault(store: string, fault: string, times?: number): Promise<void>;
  clearFaults(store: string): Promise<void>;
  /** Waits until product search covers every merchant. */
  waitForCatalogues(): Promise<void>;
  stop(): Promise<void>;
}

export async function openCheckoutFixture(env: Record<string, string> = {}): Promise<CheckoutFixture> {
  const stack = await startStack({ networks: [], env });
  const account = await stack.account();
  const { stores = [], adminUrl = "" } = stack.sandbox ?? {};
  const findStore = (name: string) => {
    const store = stores.find((one) => one.name === name);
    if (!store) throw new Error(`The sandbox has no store ${name}.`);
    return store;
  };
  async function configureFault(store: string, body: object): Promise<void> {
    const response = await fetch(`${adminUrl}/stores/${store}/fault`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
  }
  return {
    stack,
    account,
    findStoreUrl: (name) => findStore(name).url,
    async findMerchantId(name) {
      const domain = new URL(findStore(name).url).host;
      return (await stack.service.deps.db.prisma.merchant.findUniqueOrThrow({ where: { pooledDomain: domain } })).id;
    },
    get: (path) => stack.rest(account.token, "GET", path),
    quote: (body) => stack.rest(account.token, "POST", "/api/autofill/shopify/quote", body),
    configureFault: (store, fault, times = 1) => configureFault(store, { fault, times }),
    clearFaults: (store) => configureFault(store, { fault: null }),
    async waitForCatalogues() {
      const { catalogueIndex } = stack.service.deps.db.prisma;
      await vi.waitFor(async () => expect(await catalogueIndex.count({ where: { readAt: null } })).toBe(0), 30_000);
    },
    stop: () => stack.stop(),
  };
}
