/** One order on one browser context, as those see it that drive it: what they may do besides moving its page. */
import type { BrowserContext, ElementHandle, Locator, Page } from "playwright-core";
import type { z } from "zod";
import type { FinishBody } from "../checkout/worker-protocol/bodies.ts";
import type { ReleasedCard, WorkerJob } from "../checkout/worker-protocol/job.ts";

/** How an order ended, as the service is told. */
export type DriveResult = z.input<typeof FinishBody>;

/** Drives one order from its first page to its end. What it throws ends the order as the row says: see `runOrder`. */
export type Drive<Job extends WorkerJob = WorkerJob> = (session: WorkerSession<Job>) => Promise<DriveResult>;

export interface WorkerSession<Job extends WorkerJob = WorkerJob> {
  readonly job: Job;
  readonly page: Page;
  readonly context: BrowserContext;
  /** Aborted when the lease is lost, the worker stops, or the time before the card is submitted is spent. */
  readonly signal: AbortSignal;
  /**
   * Puts on record what was done. Numbers of cards are cut out of all of it; a screenshot is left out while the card is
   * typed. Resolves as soon as the picture is taken: what is sent waits for nobody.
   * @param told.outcome in words, such as `found 3 options`
   */
  step(
    action: string,
    told: { readonly selector?: string; readonly outcome: string; readonly screenshot?: boolean },
  ): Promise<void>;
  /**
   * The card, once. From here until `submitting` was followed by a step, a person who is needed or another page, nobody
   * sees the page.
   * @throws {LeaseLostError} it was given before, or the order is not this worker's to pay any more
   */
  releaseCard(): Promise<ReleasedCard>;
  /** Puts on record that the card is about to be submitted. @throws {LeaseLostError} click nothing then, and stop */
  submitting(): Promise<void>;
  /**
   * Asks a person to act on the page, which they may while it is of the origin it has now: ask again on a page of another.
   * Null: no more. Once the card is submitted the service is told beside it, until it has heard.
   * @param waitMs how long it is waited for them
   */
  personNeeded(what: "three_d_secure" | "security_code" | null, waitMs?: number): Promise<void>;
  /** The card's security code, from a person through the live view, who sees nothing meanwhile. Rejects with the signal. */
  securityCode(): Promise<string>;
  /**
   * Shows what is typed into a field as dots; before typing into any field of the card, for pages mark them as they like.
   * @throws when the field would still show it
   */
  maskField(field: Locator | ElementHandle): Promise<void>;
  /** Nobody sees the page while something is done there. */
  pauseStream(whileDoing: () => Promise<void>): Promise<void>;
}

/** The order is not this worker's any more: whatever it does now, it does to somebody else's. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

/** The time before the card is submitted is spent. */
export class TimeSpentError extends Error {
  override readonly name = "TimeSpentError";
}

/** The worker stops before the card was submitted. */
export class StoppingError extends Error {
  override readonly name = "StoppingError";
}
