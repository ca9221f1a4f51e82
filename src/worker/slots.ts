/** Counts a worker's open orders. Only an order that has not waited for its cardholder yet holds a slot. */
import { EventEmitter, once } from "node:events";
import type { SlotLimits } from "../checkout/worker-protocol/slots.ts";

export interface Slots {
  /** Resolves when the worker may lease another order. Rejects if the signal aborts first. */
  waitUntilFree(signal: AbortSignal): Promise<void>;
  openOrder(): OpenOrder;
}

export interface OpenOrder {
  /**
   * Called when the order waits for its cardholder. After the wait it continues immediately and without a slot. Otherwise
   * orders whose waits end concurrently would occupy all slots, and a merchant decides when a challenge ends.
   */
  releaseSlot(): void;
  close(): void;
}

export function createSlots({ slots, waitingPlaces }: Pick<SlotLimits, "slots" | "waitingPlaces">): Slots {
  const open = new Set<OpenOrder>();
  const holders = new Set<OpenOrder>();
  const changes = new EventEmitter();
  return {
    async waitUntilFree(signal) {
      while (holders.size >= slots || open.size >= slots + waitingPlaces) await once(changes, "change", { signal });
    },
    openOrder() {
      const order: OpenOrder = {
        releaseSlot() {
          if (holders.delete(order)) changes.emit("change");
        },
        close() {
          holders.delete(order);
          if (open.delete(order)) changes.emit("change");
        },
      };
      open.add(order);
      holders.add(order);
      return order;
    },
  };
}
