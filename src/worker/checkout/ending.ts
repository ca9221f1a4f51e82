/** How a drive ends before its confirmation, and how long its parts may take. */
import type { DriveResult } from "../session.ts";

/** A cause of `MOVES` that a worker tells. */
export type EndingCause = DriveResult["cause"];

/** Ends the drive. The reason is for the evidence, in words; nothing personal is in it. */
export class CheckoutEndedError extends Error {
  override readonly name = "CheckoutEndedError";
  override readonly cause: EndingCause;
  constructor(cause: EndingCause, reason: string) {
    super(reason);
    this.cause = cause;
  }
}

/** Milliseconds. */
export interface Timing {
  /** For a page to come. */
  readonly navigationMs: number;
  /** How long nothing is sent before a page counts as settled: longer than pages wait for the end of typing. */
  readonly quietMs: number;
  readonly settleMs: number;
  /** For a field or a way of delivery to appear. */
  readonly appearMs: number;
  /** For the shop's answer once the payment was sent. */
  readonly answerMs: number;
  /** For the number and the total, once the page says that the order stands. */
  readonly confirmationMs: number;
  /** For a person at the bank's page. */
  readonly personMs: number;
}

export const TIMING: Timing = {
  navigationMs: 30_000,
  quietMs: 400,
  settleMs: 15_000,
  appearMs: 10_000,
  answerMs: 90_000,
  confirmationMs: 6_000,
  personMs: 300_000,
};
