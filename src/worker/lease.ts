/** Renews an order's lease while the order is driven, and signals when the drive must stop. */
import { setTimeout as after } from "node:timers/promises";
import type { WorkerJob } from "../checkout/worker-protocol/job.ts";
import type { ServiceClient } from "./service-client.ts";
import { LeaseLostError, StoppingError, TimeSpentError } from "./session.ts";

export interface ActiveLease {
  /** Aborts with a {@link LeaseLostError}, a {@link TimeSpentError}, a {@link StoppingError} or the reason of `giveUp`. */
  readonly signal: AbortSignal;
  readonly isSubmitted: boolean;
  /** Milliseconds until the time limit before submission expires. */
  readonly remainingMs: number;
  /**
   * Requests permission to submit the card. Once granted, neither the time limit nor `stop` ends the drive.
   * @throws {LeaseLostError} permission was denied or no response arrived
   */
  submit(): Promise<void>;
  /** Stops the time limit before submission until the returned function is called. The lease remains maintained. */
  pause(): () => void;
  /** Aborts the drive unless the card has been submitted. Called when the worker stops. */
  stop(): void;
  /** Aborts the drive, for example because the page crashed. */
  giveUp(reason: Error): void;
  /** Stops the renewals. Called when the order has ended. */
  release(): void;
}

/** Allows three renewal attempts before the lease expires. */
const RENEWALS_PER_LEASE = 4;
const RETRY_MS = 1_000;
/** The drive ends this long before the service's own time limit, which leaves time to report the last page. */
const MARGIN_MS = 5_000;
const MAX_MARGIN_SHARE = 0.2;
const MAX_EXPLORATION_MS = 120_000;

export function maintainLease(client: ServiceClient, job: WorkerJob): ActiveLease {
  const controller = new AbortController();
  const released = new AbortController();
  let isSubmitted = false;
  let isSubmitting = false;
  let isStopping = false;
  let isTimeSpent = false;
  let leasedUntilMs = performance.now() + job.leasedForMs;

  const giveUp = (reason: Error) => {
    if (!released.signal.aborted) controller.abort(reason);
  };
  /** Aborts only before submission. While the request to submit is pending, the outcome is unknown and nothing aborts. */
  const abortUnsubmitted = () => {
    if (isSubmitted || isSubmitting) return;
    if (isTimeSpent) giveUp(new TimeSpentError("The time limit for the checkout expired. The card was not submitted."));
    else if (isStopping) giveUp(new StoppingError("The worker is stopping. The card was not submitted."));
  };
  const budgetMs = timeLimitOf(job) - Math.min(MARGIN_MS, timeLimitOf(job) * MAX_MARGIN_SHARE);
  let deadlineMs = performance.now() + budgetMs;
  let pausedAtMs: number | null = null;
  const startDeadline = () =>
    setTimeout(() => {
      isTimeSpent = true;
      abortUnsubmitted();
    }, deadlineMs - performance.now());
  let deadlineTimer = startDeadline();

  async function renewUntilReleased(): Promise<void> {
    let waitMs = job.leasedForMs / RENEWALS_PER_LEASE;
    for (;;) {
      await after(waitMs, undefined, { signal: released.signal });
      const requestedAtMs = performance.now();
      try {
        await client.renew(job.lease);
        leasedUntilMs = requestedAtMs + job.leasedForMs;
        waitMs = job.leasedForMs / RENEWALS_PER_LEASE;
      } catch (error) {
        if (error instanceof LeaseLostError) return giveUp(error);
        // After submission the drive continues even without a valid lease, to learn the merchant's response.
        if (!isSubmitted && performance.now() >= leasedUntilMs) {
          return giveUp(new LeaseLostError("The lease expired because no renewal succeeded."));
        }
        waitMs = RETRY_MS;
      }
    }
  }
  // Rejects when the lease is released.
  void renewUntilReleased().catch(() => {});

  return {
    signal: controller.signal,
    get isSubmitted() {
      return isSubmitted;
    },
    get remainingMs() {
      return deadlineMs - (pausedAtMs ?? performance.now());
    },
    async submit() {
      controller.signal.throwIfAborted();
      isSubmitting = true;
      try {
        await client.recordSubmission(job.lease);
        isSubmitted = true;
      } catch (error) {
        // Without a response, the service may have recorded the submission. The card must not be submitted.
        const lost =
          error instanceof LeaseLostError
            ? error
            : new LeaseLostError("The service did not confirm the submission. The card was not submitted.");
        giveUp(lost);
        throw lost;
      } finally {
        isSubmitting = false;
        abortUnsubmitted();
      }
      // Aborted meanwhile: the order ends as one with a submitted card.
      controller.signal.throwIfAborted();
    },
    pause() {
      clearTimeout(deadlineTimer);
      const startedAtMs = performance.now();
      pausedAtMs = startedAtMs;
      return () => {
        if (pausedAtMs !== startedAtMs || released.signal.aborted) return;
        pausedAtMs = null;
        deadlineMs += performance.now() - startedAtMs;
        deadlineTimer = startDeadline();
      };
    },
    stop() {
      isStopping = true;
      abortUnsubmitted();
    },
    giveUp,
    release() {
      clearTimeout(deadlineTimer);
      released.abort();
    },
  };
}

const timeLimitOf = ({ kind, timeoutMs }: WorkerJob) =>
  kind === "explored" ? Math.min(timeoutMs, MAX_EXPLORATION_MS) : timeoutMs;
