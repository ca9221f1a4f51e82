/** What an operator watches of the gateway: calls, how soon they are answered, what they cost, and which provider is left alone. */
import { type CircuitBreakerPolicy, CircuitState } from "cockatiel";
import type { Metrics } from "../platform/observability/metrics.ts";
import type { CallRow } from "./calls.ts";

/** Models come from providers' lists, which may be long: those asked first have a series of their own. */
const MAX_MODELS = 200;

const BREAKER_STATES: Readonly<Record<CircuitState, number>> = {
  [CircuitState.Closed]: 0,
  [CircuitState.HalfOpen]: 1,
  [CircuitState.Open]: 2,
  [CircuitState.Isolated]: 2,
};

export interface CallMeter {
  /** Takes a call that has ended. */
  count(call: CallRow): void;
  watch(provider: { readonly name: string; readonly breaker: CircuitBreakerPolicy }): void;
}

export function createCallMeter(metrics: Metrics): CallMeter {
  const calls = metrics.counter("satchel_gateway_calls_total", "Calls of language models that have ended.", [
    "provider",
    "model",
    "outcome",
  ]);
  const firstByte = metrics.histogram(
    "satchel_gateway_first_byte_seconds",
    "Time until a provider began to answer; of an answer that is not streamed, until it was there.",
    ["provider"],
  );
  const cost = metrics.counter("satchel_gateway_cost_micro_usd_total", "What calls cost, in micro-USD.", [
    "provider",
    "model",
  ]);
  const breaker = metrics.gauge(
    "satchel_gateway_breaker_state",
    "Whether a provider is asked: 0 yes, 1 once to see, 2 not for now.",
    ["provider"],
  );
  const models = new Set<string>();
  const nameOf = (model: string) => {
    if (models.size < MAX_MODELS) models.add(model);
    return models.has(model) ? model : "other";
  };
  return {
    count({ provider, model, status, costMicroUsd, createdAt, firstByteAt }) {
      const labels = { provider: provider ?? "none", model: nameOf(model) };
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
