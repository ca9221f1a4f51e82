/**
 * Limits of the orders that one worker has open. A slot is an order that is driven. An order that waits for its cardholder
 * holds a waiting place instead, so that an uncompleted challenge does not block other purchases.
 */

export const MAX_SLOTS = 32;

/** A waiting order retains its browser context, about 130 MB of memory: at most 1 GB per slot. */
const WAITING_PLACES_PER_SLOT = 8;

export interface SlotLimits {
  readonly slots: number;
  readonly waitingPlaces: number;
  /** Limits per account, below the worker's own, so that no account can use all slots or waiting places. */
  readonly account: OpenLimits;
  /** Limits per merchant domain. More orders may wait than of one account, so that no account blocks a merchant. */
  readonly merchant: OpenLimits;
  /** Maximum number of explorations. Purchases precede them, but do not interrupt those in progress. */
  readonly explorations: number;
}

interface OpenLimits {
  /** Maximum number of orders that are driven and do not wait. */
  readonly driven: number;
  /** Maximum number of orders, driven or waiting. Any driven order may begin to wait. */
  readonly open: number;
}

/** Returns the limits of a worker. @param slots the number of its slots, `WORKER_CONCURRENCY` */
export function slotLimitsOf(slots: number): SlotLimits {
  const waitingPlaces = slots * WAITING_PLACES_PER_SLOT;
  const driven = atLeastOne(slots / 2);
  return {
    ...{ slots, waitingPlaces },
    account: { driven, open: atLeastOne(waitingPlaces / 4) },
    merchant: { driven, open: atLeastOne(waitingPlaces / 2) },
    explorations: atLeastOne(slots - 1),
  };
}

const atLeastOne = (count: number) => Math.max(1, Math.floor(count));
