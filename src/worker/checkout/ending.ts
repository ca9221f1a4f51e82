/** Ends a drive before its confirmation, and sets the time limits of its parts. */
import type { DriveResult } from "../session.ts";

/** Causes of `MOVES` that a worker reports. */
export type EndingCause = DriveResult["cause"];

/** Ends the drive. The message becomes part of the evidence and must contain no personal data. */
export class CheckoutEndedError extends Error {
  override readonly name = "CheckoutEndedError";
  override readonly cause: EndingCause;
  constructor(cause: EndingCause, reason: string) {
    super(reason);
    this.cause = cause;
  }
}

/** Time limits in milliseconds. */
export interface Timing {
  /** For a page to load. */
  readonly navigationMs: number;
  /** A page counts as settled after this long without requests. Longer than usual debounce delays for typing. */
  readonly quietMs: number;
  readonly settleMs: number;
  /** For a field or a delivery option to appear. */
  readonly appearMs: number;
  /** For a payment to leave after the control was pressed. */
  readonly unsentMs: number;
  /** For the merchant's response after the payment was submitted. */
  readonly outcomeMs: number;
  /** For the order number and the total, once the page confirms the order. */
  readonly confirmationMs: number;
  /** For the cardholder to complete the bank's challenge. */
  readonly cardholderMs: number;
}

export const TIMING: Timing = {
  navigationMs: 30_000,
  quietMs: 400,
  settleMs: 15_000,
  appearMs: 10_000,
  unsentMs: 15_000,
  outcomeMs: 90_000,
  confirmationMs: 6_000,
  cardholderMs: 300_000,
};
