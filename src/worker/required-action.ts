/**
 * Reports to the service which action the account owner must perform. Reporting runs in the background and retries, because
 * a submitted payment must wait for the merchant's response and not for the service.
 */
import { ExponentialBackoff, handleType, retry } from "cockatiel";
import type { Logger } from "../platform/observability/logger.ts";
import { safeReason } from "./evidence/redact.ts";
import { type RequiredAction, type RequiredActionClient, ServiceUnavailableError } from "./service-client.ts";
import { LeaseLostError } from "./session.ts";

export interface RequiredActionReporter {
  /**
   * Sends the action, replacing one that is still pending.
   * @param waitMs how long the worker waits for the action; null: not specified
   */
  report(action: RequiredAction, waitMs: number | null): void;
  stop(): void;
}

interface ActionUpdate {
  readonly action: RequiredAction;
  readonly untilMs: number | null;
}

const BACKOFF = { initialDelay: 100, maxDelay: 2_000 };

export function createRequiredActionReporter(options: {
  readonly client: RequiredActionClient;
  readonly lease: string;
  readonly logger: Logger;
  /** Called when the lease is lost: another worker, or none, drives the order. */
  onLeaseLost(error: LeaseLostError): void;
}): RequiredActionReporter {
  const { client, lease, logger, onLeaseLost } = options;
  const stopped = new AbortController();
  const retryPolicy = retry(handleType(ServiceUnavailableError), {
    maxAttempts: Number.POSITIVE_INFINITY,
    backoff: new ExponentialBackoff(BACKOFF),
  });
  let newest: ActionUpdate = { action: null, untilMs: null };
  let isSending = false;

  async function sendNewest(): Promise<void> {
    if (isSending) return;
    isSending = true;
    try {
      let sent: ActionUpdate | undefined;
      while (sent !== newest) {
        await retryPolicy.execute(async () => {
          const update = newest;
          const { action, untilMs } = update;
          const waitMs = untilMs === null ? null : Math.max(0, Math.round(untilMs - performance.now()));
          await client.reportRequiredAction(lease, action, waitMs);
          sent = update;
        }, stopped.signal);
      }
    } catch (error) {
      if (error instanceof LeaseLostError) onLeaseLost(error);
      else if (!stopped.signal.aborted)
        logger.warn({ reason: safeReason(error) }, "Required action could not be reported");
    } finally {
      isSending = false;
    }
  }

  return {
    report(action, waitMs) {
      newest = { action, untilMs: waitMs === null ? null : performance.now() + waitMs };
      void sendNewest();
    },
    stop: () => stopped.abort(),
  };
}
