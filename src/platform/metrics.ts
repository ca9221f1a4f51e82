/** Prometheus metrics in a registry of their own. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** Seconds: from a cached read to a proxied request that waits for a chain. */
const SECONDS_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export interface Metrics {
  readonly registry: Registry;
  /** Names end in `_total`; label values come from small closed sets, never from callers. */
  counter<Label extends string>(name: string, help: string, labels?: readonly Label[]): Counter<Label>;
  /** With `collect`, its value is asked for at every scrape. */
  gauge<Label extends string>(
    name: string,
    help: string,
    labels?: readonly Label[],
    collect?: () => number | Promise<number>,
  ): Gauge<Label>;
  /** Names end in `_seconds`. */
  histogram<Label extends string>(
    name: string,
    help: string,
    labels?: readonly Label[],
    buckets?: readonly number[],
  ): Histogram<Label>;
}

/** @param options.processMetrics whether CPU, memory and event loop are measured too; default true */
export function createMetrics(options: { processMetrics?: boolean } = {}): Metrics {
  const registry = new Registry();
  if (options.processMetrics ?? true) collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    counter: (name, help, labels = []) => new Counter({ name, help, labelNames: [...labels], registers }),
    gauge: <Label extends string>(
      name: string,
      help: string,
      labels: readonly Label[] = [],
      collect?: () => number | Promise<number>,
    ) =>
      new Gauge<Label>({
        name,
        help,
        labelNames: [...labels],
        registers,
        ...(collect
          ? {
              async collect() {
                this.set(await collect());
              },
            }
          : {}),
      }),
    histogram: (name, help, labels = [], buckets = SECONDS_BUCKETS) =>
      new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers }),
  };
}
