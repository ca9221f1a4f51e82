/** The sandbox's shops, and people who buy there. */
import type { CheckoutOrder } from "../../../generated/prisma/client.ts";
import { readOrder } from "../orders/orders.ts";
import { WORKER_TOKEN, workerOf } from "../orders/worker.ts";
import { type CheckoutRoom, openCheckoutRoom } from "../room.ts";
import { type Buyer, openBuyer, SOCKS, SOCKS_MINOR } from "./buyer.ts";

export const BABBAGE = {
  first_name: "Charles",
  last_name: "Babbage",
  address1: "1 Dorset Street",
  city: "London",
  postal_code: "W1U 4EE",
  country_code: "GB",
};
export interface Desk extends CheckoutRoom {
  readonly harbour: string;
  readonly worker: ReturnType<typeof workerOf>;
  openBuyer(): Promise<Buyer>;
  /** A dispatch of two pairs of socks as they were quoted: each call is another person's word, and so another order. */
  socks(more?: object): object;
  read(orderId: string): Promise<CheckoutOrder>;
}

let words = 0;

export async function openDesk(env: Record<string, string> = {}): Promise<Desk> {
  const room = await openCheckoutRoom({ WORKER_TOKEN, CARD_SECURITY_CODE: "keep", ...env });
  const harbour = await room.merchantId("harbour");
  const items = [{ sku: SOCKS, quantity: 2 }];
  const { json } = await room.quote({ merchant_id: harbour, items, ship_to: BABBAGE });
  const options: { title: string; id: string }[] = json.fulfillment_options;
  const standard = options.find(({ title }) => title === "Standard")?.id;
  return {
    ...room,
    harbour,
    worker: workerOf(room.stack),
    openBuyer: () => openBuyer(room.stack.service),
    socks: (more = {}) => ({
      ...{ merchant_id: harbour, items, fulfillment_option_id: standard },
      ...{ amount_minor: SOCKS_MINOR, currency: "GBP" },
      user_confirmation_text: `Yes, order it (${++words})`,
      user_approved_at_iso: "2024-11-20T17:29:16Z",
      user_prompt: "Two pairs of wool socks, please.",
      ...more,
    }),
    read: (id) => readOrder(room.stack.service.deps.db, id),
  };
}
