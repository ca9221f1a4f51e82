import type { Response } from "express";
import type { Order } from "./order.ts";
import type { Step } from "./shape.ts";

/** Faults of a step, each with what the merchant does. */
export const FAULT_KINDS = {
  "http-500": "responds with status 500",
  timeout: "does not respond",
  dropped: "closes the connection without a response",
  slow: "responds after three seconds",
  declined: "declines the card",
  "price-rise": "raises the price and shows it",
  "out-of-stock": "has sold the last one",
  "session-lost": "has deleted the session",
  "tracker-fails": "waits for a tracker that cannot be reached",
  reload: "responds to the form with a page that reloads itself, which sends the form a second time",
} as const;
export type FaultKind = keyof typeof FAULT_KINDS;

export interface Fault {
  readonly step: Step;
  readonly kind: FaultKind;
}

export const SLOW_MS = 3_000;
/** Discard port, on which nothing listens. */
export const DEAD_ORIGIN = "http://127.0.0.1:9";

/** Faults that occur at each step. A card can be declined only where it is used. */
export function faultsOf(step: Step): FaultKind[] {
  const kinds = Object.keys(FAULT_KINDS) as FaultKind[];
  const isUnused = (kind: FaultKind) => {
    if (kind === "declined") return step !== "payment";
    if (kind === "price-rise" || kind === "out-of-stock" || kind === "reload") return step === "confirmation";
    return false;
  };
  return kinds.filter((kind) => !isUnused(kind));
}

/**
 * Applies a fault to the order and the response.
 * @returns true if the request needs no further handling
 */
export async function applyFault(fault: Fault, order: Order, response: Response): Promise<boolean> {
  if (fault.kind === "http-500") response.status(500).type("html").send("<h1>Internal Server Error</h1>");
  else if (fault.kind === "dropped") response.socket?.destroy();
  else if (fault.kind === "slow") await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
  else if (fault.kind === "price-rise") order.surchargeMinor = 310;
  else if (fault.kind === "out-of-stock") order.isSoldOut = true;
  return fault.kind === "http-500" || fault.kind === "dropped" || fault.kind === "timeout";
}
