/** A checkout fixture with a worker client, buyers and a valid dispatch. */
import type { CheckoutOrder } from "../../../generated/prisma/client.ts";
import { type CheckoutFixture, openCheckoutFixture } from "../checkout-fixture.ts";
import { readOrder } from "../orders/order-rows.ts";
import { createWorkerClient, WORKER_TOKEN } from "../orders/worker-client.ts";
import { type Buyer, openBuyer, SOCKS, SOCKS_MINOR } from "./buyer.ts";

export const BABBAGE = {
  first_name: "Charles",
  last_name: "Babbage",
  address1: "1 Dorset Street",
  city: "London",
  postal_code: "W1U 4EE",
  country_code: "GB",
};
export interface DispatchFixture extends CheckoutFixture {
  readonly harbour: string;
  readonly worker: ReturnType<typeof createWorkerClient>;
  openBuyer(): Promise<Buyer>;
  /** Creates a dispatch of two quoted pairs of socks. Each call has its own confirmation text and therefore its own order. */
  createDispatch(more?: object): object;
  readOrder(orderId: string): Promise<CheckoutOrder>;
}

let confirmationCount = 0;

export async function openDispatchFixture(env: Record<string, string> = {}): Promise<DispatchFixture> {
  const base = await openCheckoutFixture({ WORKER_TOKEN, CARD_SECURITY_CODE: "keep", ...env });
  const harbour = await base.findMerchantId("harbour");
  const items = [{ sku: SOCKS, quantity: 2 }];
  const { json } = await base.quote({ merchant_id: harbour, items, ship_to: BABBAGE });
  const options: { title: string; id: string }[] = json.fulfillment_options;
  const standard = options.find(({ title }) => title === "Standard")?.id;
  return {
    ...base,
    harbour,
    worker: createWorkerClient(base.stack),
    openBuyer: () => openBuyer(base.stack.service),
    createDispatch: (more = {}) => ({
      ...{ merchant_id: harbour, items, fulfillment_option_id: standard },
      ...{ amount_minor: SOCKS_MINOR, currency: "GBP" },
      user_confirmation_text: `Yes, order it (${++confirmationCount})`,
      user_approved_at_iso: "2024-11-20T17:29:16Z",
      user_prompt: "Two pairs of wool socks, please.",
      ...more,
    }),
    readOrder: (id) => readOrder(base.stack.service.deps.db, id),
  };
}
