import type { Metrics } from "../../platform/observability/metrics.ts";

/** What became of a message for one mailbox. */
export type IncomingOutcome = "stored" | "duplicate" | "refused" | "failed";

export interface IncomingMetrics {
  count(outcome: IncomingOutcome, messages?: number): void;
  /** From its last byte to its commit. */
  observeSeconds(seconds: number): void;
}

export function createIncomingMetrics(metrics: Metrics): IncomingMetrics {
  const messages = metrics.counter("satchel_mail_incoming_total", "Incoming messages by what became of them.", [
    "outcome",
  ]);
  const durations = metrics.histogram("satchel_mail_incoming_seconds", "From a message's last byte to its commit.");
  return {
    count: (outcome, count = 1) => messages.inc({ outcome }, count),
    observeSeconds: (seconds) => durations.observe(seconds),
  };
}
