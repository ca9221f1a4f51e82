import type { Metrics } from "../../platform/observability/metrics.ts";

/** The outcome of a message for one mailbox. */
export type IncomingOutcome = "stored" | "duplicate" | "refused" | "failed";

export interface IncomingMetrics {
  count(outcome: IncomingOutcome, messages?: number): void;
  /** Records the time from the last received byte to the commit. */
  observeSeconds(seconds: number): void;
}

export function createIncomingMetrics(metrics: Metrics): IncomingMetrics {
  const messages = metrics.counter("satchel_mail_incoming_total", "Incoming messages by outcome.", ["outcome"]);
  const durations = metrics.histogram(
    "satchel_mail_incoming_seconds",
    "Time from the last received byte of a message to its commit.",
  );
  return {
    count: (outcome, count = 1) => messages.inc({ outcome }, count),
    observeSeconds: (seconds) => durations.observe(seconds),
  };
}
