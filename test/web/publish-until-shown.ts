import type { Locator } from "playwright-core";
import { expect } from "vitest";
import { publishOrder } from "../../src/checkout/orders/order-events.ts";
import type { Stack } from "../support/stack.ts";

/** Publishes updates of an order until `shown` is visible. Pages miss events published before they subscribe. */
export async function announceUntilShown(
  { service }: Stack,
  order: { readonly accountId: string; readonly id: string },
  shown: Locator,
): Promise<void> {
  const isShown = () => {
    publishOrder(service.deps.pubsub, order);
    return shown.first().isVisible();
  };
  await expect.poll(isShown, { interval: 250 }).toBe(true);
}
