/** The session of one order: the interface through which a driver uses the browser context, the evidence and the card. */
import type { BrowserContext, ElementHandle, Frame, Locator, Page } from "playwright-core";
import type { z } from "zod";
import type { FinishBody } from "../checkout/worker-protocol/bodies.ts";
import type { ReleasedCard, WorkerJob } from "../checkout/worker-protocol/job.ts";
import type { QuestionInput } from "../checkout/worker-protocol/question.ts";

/** Result of an order, as reported to the service. */
export type DriveResult = z.input<typeof FinishBody>;

/** Drives one order to its end and returns the result. Errors end the order with a generic cause; see `runOrder`. */
export type Drive<Job extends WorkerJob = WorkerJob> = (session: WorkerSession<Job>) => Promise<DriveResult>;

export interface WorkerSession<Job extends WorkerJob = WorkerJob> {
  readonly job: Job;
  readonly page: Page;
  readonly context: BrowserContext;
  /**
   * Runs the callback with another context, which shares nothing with the order's and is closed afterwards. For pages that
   * must not affect the order's pages.
   */
  withSeparateContext<Result>(use: (context: BrowserContext) => Promise<Result>): Promise<Result>;
  /** Aborts when the lease is lost, the worker stops, or the time limit before submission expires. */
  readonly signal: AbortSignal;
  /**
   * Records a step in the evidence. Card numbers are redacted from all texts, and the screenshot is omitted while the card
   * is visible. Resolves as soon as the screenshot exists; uploads run in the background.
   * @param details.outcome short description, such as `found 3 options`
   */
  step(
    action: string,
    details: { readonly selector?: string; readonly outcome: string; readonly screenshot?: boolean },
  ): Promise<void>;
  /**
   * Returns the card, once per order. The live view then hides the page. It is shown again after submission, with the next
   * step, required action or page.
   *
   * @throws {LeaseLostError} the card was already released, or the order no longer belongs to this worker
   */
  releaseCard(): Promise<ReleasedCard>;
  /** Records that the card is about to be submitted. @throws {LeaseLostError} the card must not be submitted */
  recordSubmission(): Promise<void>;
  /**
   * Asks the account owner, before the card is released. The time limit pauses meanwhile. Returns the answer, or null if
   * there is none in time or the service refuses the question. Rejects with the signal.
   */
  ask(question: QuestionInput): Promise<string | null>;
  /**
   * Sets the action required from the account owner; null clears it. The viewer may act only on the page's current origin,
   * so call this again after a page of another origin loads. After submission the report is sent in the background.
   * @param waitMs how long the worker waits for the action
   */
  setRequiredAction(action: "three_d_secure" | "security_code" | null, waitMs?: number): Promise<void>;
  /**
   * Sets the frame that shows a 3-D Secure challenge, whose origin the live view displays. Null or the main frame: the page
   * itself. Call before `setRequiredAction`.
   */
  setChallengeFrame(frame: Frame | null): void;
  /** Returns the security code that the cardholder enters in the live view. The page is hidden meanwhile. Rejects with the signal. */
  securityCode(): Promise<string>;
  /**
   * Masks a field's content with dots. Call before typing into any card field, because the page's own markup is unreliable.
   * @throws when the field would still show its content
   */
  maskField(field: Locator | ElementHandle): Promise<void>;
  /** Hides the page from viewers while the callback runs. */
  pauseStream(whileDoing: () => Promise<void>): Promise<void>;
}

/** The lease is lost. The worker must not act on the order again, because another worker may drive it. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

/** The time limit before submission expired. */
export class TimeSpentError extends Error {
  override readonly name = "TimeSpentError";
}

/** The worker stops, and the card was not submitted. */
export class StoppingError extends Error {
  override readonly name = "StoppingError";
}
