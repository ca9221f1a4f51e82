/** Metrics of the gateway: calls, time to first byte, cost, and suspended models. */
import type { Metrics } from "../platform/observability/metrics.ts";
import type { CallRow } from "./calls.ts";
import type { ProviderHealth } from "./provider-health.ts";

/** Maximum models with a metric series of their own, on first use; others are labelled `other`. Provider lists can be long. */
const MAX_MODELS = 200;

export interface CallMeter {
  /** Counts a call that has ended. */
  count(call: CallRow): void;
}

export function createCallMeter(
  metrics: Metrics,
  providers: readonly { readonly name: string; readonly health: ProviderHealth }[],
): CallMeter {
  const calls = metrics.counter("satchel_gateway_calls_total", "Ended calls of language models.", [
    "provider",
    "model",
    "outcome",
  ]);
  const firstByte = metrics.histogram(
    "satchel_gateway_first_byte_seconds",
    "Time to the first byte of a provider's response; without streaming, to the complete response.",
    ["provider"],
  );
  const cost = metrics.counter("satchel_gateway_cost_micro_usd_total", "Cost of calls, in micro-USD.", [
    "provider",
    "model",
  ]);
  metrics.gauge(
    "satchel_gateway_suspended_models",
    "Models of a provider that are not called now, for one account or for all.",
    ["provider"],
    async () => providers.map(({ name, health }) => ({ labels: { provider: name }, value: health.countSuspended() })),
  );
  const models = new Set<string>();
  const getModelLabel = (model: string) => {
    if (models.size < MAX_MODELS) models.add(model);
    return models.has(model) ? model : "other";
  };
  return {
    count({ provider, model, status, costMicroUsd, createdAt, firstByteAt }) {
      const labels = { provider: provider ?? "none", model: getModelLabel(model) };
      calls.inc({ ...labels, outcome: status });
      if (costMicroUsd) cost.inc(labels, Number(costMicroUsd));
      if (provider && firstByteAt) {
        firstByte.observe({ provider }, (firstByteAt.getTime() - createdAt.getTime()) / 1_000);
      }
    },
  };
}
