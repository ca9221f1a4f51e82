/** A stack with the sandbox's shops, and one account to ask with. */
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";

export interface CheckoutRoom {
  readonly stack: OwnStack;
  readonly account: TestAccount;
  /** Of the shop of that name in the sandbox. */
  merchantId(name: string): Promise<string>;
  urlOf(name: string): string;
  get(path: string): ReturnType<OwnStack["rest"]>;
  quote(body: object): ReturnType<OwnStack["rest"]>;
  /** Orders a fault of a shop, `times` over. */
  fault(shop: string, fault: string, times?: number): Promise<void>;
  clearFaults(shop: string): Promise<void>;
  stop(): Promise<void>;
}

export async function openCheckoutRoom(env: Record<string, string> = {}): Promise<CheckoutRoom> {
  const stack = await startStack({ networks: [], env });
  const account = await stack.account();
  const { stores = [], adminUrl = "" } = stack.sandbox ?? {};
  const storeOf = (name: string) => {
    const store = stores.find((one) => one.name === name);
    if (!store) throw new Error(`The sandbox has no shop ${name}.`);
    return store;
  };
  async function order(shop: string, body: object): Promise<void> {
    const response = await fetch(`${adminUrl}/stores/${shop}/fault`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
  }
  return {
    stack,
    account,
    urlOf: (name) => storeOf(name).url,
    async merchantId(name) {
      const domain = new URL(storeOf(name).url).host;
      return (await stack.service.deps.db.prisma.merchant.findUniqueOrThrow({ where: { domain } })).id;
    },
    get: (path) => stack.rest(account.token, "GET", path),
    quote: (body) => stack.rest(account.token, "POST", "/api/autofill/shopify/quote", body),
    fault: (shop, fault, times = 1) => order(shop, { fault, times }),
    clearFaults: (shop) => order(shop, { fault: null }),
    stop: () => stack.stop(),
  };
}
