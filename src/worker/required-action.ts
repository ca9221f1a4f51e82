/**
 * Tells the service what a person is needed for, beside the driving and until it is heard: a payment that was submitted waits
 * for the shop's answer, not for the service.
 */
import { ExponentialBackoff, handleType, retry } from "cockatiel";
import type { Logger } from "../platform/observability/logger.ts";
import { safeReason } from "./evidence/redact.ts";
import { type NeededFor, ServiceAwayError, type ServiceClient } from "./service-client.ts";
import { LeaseLostError } from "./session.ts";

export interface RequiredActionReporter {
  /** The newest word is the one that counts. @param waitMs how long it is waited for them; null: not said */
  tell(what: NeededFor, waitMs: number | null): void;
  stop(): void;
}

interface Word {
  readonly what: NeededFor;
  readonly untilMs: number | null;
}

const BACKOFF = { initialDelay: 100, maxDelay: 2_000 };

export function createRequiredActionReporter(options: {
  readonly client: Pick<ServiceClient, "tellPersonNeeded">;
  readonly lease: string;
  readonly logger: Logger;
  /** The order is not this worker's any more. */
  onLeaseLost(error: LeaseLostError): void;
}): RequiredActionReporter {
  const { client, lease, logger, onLeaseLost } = options;
  const stopped = new AbortController();
  const again = retry(handleType(ServiceAwayError), {
    maxAttempts: Number.POSITIVE_INFINITY,
    backoff: new ExponentialBackoff(BACKOFF),
  });
  let newest: Word = { what: null, untilMs: null };
  let isTelling = false;

  async function tellNewest(): Promise<void> {
    if (isTelling) return;
    isTelling = true;
    try {
      let told: Word | undefined;
      while (told !== newest) {
        await again.execute(async () => {
          const word = newest;
          const { what, untilMs } = word;
          const waitMs = untilMs === null ? null : Math.max(0, Math.round(untilMs - performance.now()));
          await client.tellPersonNeeded(lease, what, waitMs);
          told = word;
        }, stopped.signal);
      }
    } catch (error) {
      if (error instanceof LeaseLostError) onLeaseLost(error);
      else if (!stopped.signal.aborted) logger.warn({ reason: safeReason(error) }, "nobody could be asked for");
    } finally {
      isTelling = false;
    }
  }

  return {
    tell(what, waitMs) {
      newest = { what, untilMs: waitMs === null ? null : performance.now() + waitMs };
      void tellNewest();
    },
    stop: () => stopped.abort(),
  };
}
