/** Results of explorations, as a worker reports them, and accounts that explore. */
import type { TestAccount } from "../../support/stack.ts";
import type { DispatchFixture } from "../dispatch/dispatch-fixture.ts";

/** Creates a product on a page of the merchant at `url`. */
export const createProduct = (url: string, sku: string, priceMinor = 1_000) => ({
  ...{ sku, productId: `/item/${sku}`, title: `Product ${sku}`, variantTitle: null, priceMinor, currency: "GBP" },
  ...{ available: true, imageUrl: null, productUrl: `${url}/item/${sku}` },
});

export const createRecipe = (url: string, more: object = {}) => ({
  ...{ format: 1, basketUrl: null, checkoutOrigins: [url], cardFrameOrigins: null, fields: {}, controls: {} },
  ...{ payPath: null, ...more },
});

/** Creates the result of an exploration of the merchant at `url`. */
export const createExploration = (url: string, more: object = {}) => ({
  ...{ url, name: "Hammer & Chisel", currency: "GBP", countryCode: "GB", shipsTo: ["GB"], supportsPickup: false },
  ...{ taxPolicy: "included", logoUrl: null, products: [createProduct(url, "HAM-2")], isWhole: true },
  recipe: createRecipe(url),
  ...more,
});

let goals = 0;

/** Explores a merchant for the account; a worker reports `exploration`. Returns the ended order. */
export async function exploreAs(
  { stack, worker }: Pick<DispatchFixture, "stack" | "worker">,
  { token }: Pick<TestAccount, "token">,
  exploration: { readonly url: string },
) {
  const body = { merchant_url: exploration.url, goal: `anything (${++goals})` };
  const { json } = await stack.rest(token, "POST", "/api/autofill/explore", body);
  // A merchant with the Storefront API is read at once, without a worker.
  if (json.status !== "pending") return json;
  const { lease, orderId } = await worker.claimNext();
  if (orderId !== json.order_id) throw new Error("Another order was waiting.");
  const finished = await worker.send(lease, "finish", { cause: "explored", exploration });
  if (finished.status !== 200) throw new Error(finished.text);
  return (await stack.rest(token, "GET", `/api/autofill/orders/${orderId}`)).json;
}
