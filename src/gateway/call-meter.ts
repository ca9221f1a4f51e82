/** Metrics of the gateway: calls, time to first byte, cost, and circuit breaker states. */
import { type CircuitBreakerPolicy, CircuitState } from "cockatiel";
import type { Metrics } from "../platform/observability/metrics.ts";
import type { CallRow } from "./calls.ts";

/** Maximum models with a metric series of their own, on first use; others are labelled `other`. Provider lists can be long. */
const MAX_MODELS = 200;

const BREAKER_STATES: Readonly<Record<CircuitState, number>> = {
  [CircuitState.Closed]: 0,
  [CircuitState.HalfOpen]: 1,
  [CircuitState.Open]: 2,
  [CircuitState.Isolated]: 2,
};

export interface CallMeter {
  /** Counts a call that has ended. */
  count(call: CallRow): void;
  watch(provider: { readonly name: string; readonly breaker: CircuitBreakerPolicy }): void;
}

export function createCallMeter(metrics: Metrics): CallMeter {
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
  const breaker = metrics.gauge(
    "satchel_gateway_breaker_state",
    "State of a provider's circuit breaker: 0 closed, 1 half-open, 2 open.",
    ["provider"],
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
    watch({ name, breaker: policy }) {
      breaker.set({ provider: name }, BREAKER_STATES[policy.state]);
      policy.onStateChange((state) => breaker.set({ provider: name }, BREAKER_STATES[state]));
    },
  };
}
