/** Holding an order: its lease is renewed while it is driven, and whoever drives it hears at once when it must stop. */
import { setTimeout as after } from "node:timers/promises";
import type { WorkerJob } from "../checkout/worker-protocol/job.ts";
import type { ServiceClient } from "./service-client.ts";
import { LeaseLostError, StoppingError, TimeSpentError } from "./session.ts";

export interface Hold {
  /** Aborted with a {@link LeaseLostError}, a {@link TimeSpentError} or a {@link StoppingError}. */
  readonly signal: AbortSignal;
  readonly isSubmitted: boolean;
  /** Until the time for what comes before the click is spent. */
  readonly leftMs: number;
  /** Asks for the click. Once it was granted, neither time nor a stop ends the drive. @throws {LeaseLostError} */
  submit(): Promise<void>;
  /** The worker stops: what is not submitted is given up. */
  stop(): void;
  /** The page is gone, or something else that leaves nothing to be driven. */
  giveUp(reason: Error): void;
  /** The order has ended: nothing is renewed any more. */
  release(): void;
}

/** Renewals have three chances before the lease is over. */
const RENEWALS_PER_LEASE = 4;
const RETRY_MS = 1_000;
/** The worker says that time is spent, and what it saw last, before the service finds out by itself. */
const MARGIN_MS = 5_000;
const LARGEST_MARGIN = 0.2;
const LONGEST_EXPLORATION_MS = 120_000;

export function holdLease(client: ServiceClient, job: WorkerJob): Hold {
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
  /** What must not interrupt a payment: while it is asked for nobody knows yet. */
  const endUnsubmitted = () => {
    if (isSubmitted || isSubmitting) return;
    if (isTimeSpent) giveUp(new TimeSpentError("The time for the checkout is spent."));
    else if (isStopping) giveUp(new StoppingError("The worker stops."));
  };
  const ownMs = timeOf(job) - Math.min(MARGIN_MS, timeOf(job) * LARGEST_MARGIN);
  const spentAtMs = performance.now() + ownMs;
  const spent = setTimeout(() => {
    isTimeSpent = true;
    endUnsubmitted();
  }, ownMs);

  async function keep(): Promise<void> {
    let waitMs = job.leasedForMs / RENEWALS_PER_LEASE;
    for (;;) {
      await after(waitMs, undefined, { signal: released.signal });
      const askedAtMs = performance.now();
      try {
        await client.renew(job.lease);
        leasedUntilMs = askedAtMs + job.leasedForMs;
        waitMs = job.leasedForMs / RENEWALS_PER_LEASE;
      } catch (error) {
        if (error instanceof LeaseLostError) return giveUp(error);
        // Once it is submitted the shop's answer is worth waiting for, whoever holds the lease.
        if (!isSubmitted && performance.now() >= leasedUntilMs) {
          return giveUp(new LeaseLostError("The lease could not be renewed in time."));
        }
        waitMs = RETRY_MS;
      }
    }
  }
  // Ends with the release.
  void keep().catch(() => {});

  return {
    signal: controller.signal,
    get isSubmitted() {
      return isSubmitted;
    },
    get leftMs() {
      return spentAtMs - performance.now();
    },
    async submit() {
      controller.signal.throwIfAborted();
      isSubmitting = true;
      try {
        await client.submitting(job.lease);
        isSubmitted = true;
      } catch (error) {
        // Asked and not answered: it may be on record, so nobody may click.
        const lost = error instanceof LeaseLostError ? error : new LeaseLostError("It may not be submitted.");
        giveUp(lost);
        throw lost;
      } finally {
        isSubmitting = false;
        endUnsubmitted();
      }
      // Lost meanwhile: the order is ended as one whose card was submitted.
      controller.signal.throwIfAborted();
    },
    stop() {
      isStopping = true;
      endUnsubmitted();
    },
    giveUp,
    release() {
      clearTimeout(spent);
      released.abort();
    },
  };
}

const timeOf = ({ kind, timeoutMs }: WorkerJob) =>
  kind === "explored" ? Math.min(timeoutMs, LONGEST_EXPLORATION_MS) : timeoutMs;
