import type { Metrics } from "../../platform/observability/metrics.ts";
import type { ProviderEventOutcome } from "./apply-provider-event.ts";
import type { ProviderEventType } from "./provider-event.ts";

export interface ProviderEventMetrics {
  count(type: ProviderEventType, outcome: ProviderEventOutcome): void;
}

export function createProviderEventMetrics(metrics: Metrics): ProviderEventMetrics {
  const events = metrics.counter("satchel_mail_provider_events_total", "Delivery events of the mail provider.", [
    "type",
    "outcome",
  ]);
  return { count: (type, outcome) => events.inc({ type, outcome }) };
}
