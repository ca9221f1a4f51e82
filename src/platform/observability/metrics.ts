/** Prometheus metrics: one registry per service, and one for the process. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** From a cached read (milliseconds) to a proxied request that waits for a chain (a minute). */
const SECONDS_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** CPU, memory and event loop. Created once per process, because the default metrics cannot be stopped. */
let processRegistry: Registry | null = null;

interface LabelledValue<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>;
  readonly value: number;
}

export interface Metrics {
  readonly contentType: string;
  /** Returns all metrics, including those of the process, in Prometheus text format. */
  text(): Promise<string>;
  /** Names end in `_total`; label values come from small closed sets, never from callers. */
  counter<Label extends string>(name: string, help: string, labels?: readonly Label[]): Counter<Label>;
  /** With `collect`, the value, or the value of each combination of labels, is read at each scrape. */
  gauge<Label extends string>(
    name: string,
    help: string,
    labels?: readonly Label[],
    collect?: () => number | Promise<number | readonly LabelledValue<Label>[]>,
  ): Gauge<Label>;
  /** Names end in `_seconds`. */
  histogram<Label extends string>(
    name: string,
    help: string,
    labels?: readonly Label[],
    buckets?: readonly number[],
  ): Histogram<Label>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const processMetrics = measureProcess();
  return {
    contentType: registry.contentType,
    text: () => Registry.merge([registry, processMetrics]).metrics(),
    counter: (name, help, labels = []) => new Counter({ name, help, labelNames: [...labels], registers }),
    gauge: <Label extends string>(
      name: string,
      help: string,
      labels: readonly Label[] = [],
      collect?: () => number | Promise<number | readonly LabelledValue<Label>[]>,
    ) =>
      new Gauge<Label>({
        name,
        help,
        labelNames: [...labels],
        registers,
        ...(collect
          ? {
              async collect() {
                // While the database is unreachable, the other metrics remain readable.
                const collected = await Promise.resolve(collect()).catch(() => []);
                if (typeof collected === "number") return this.set(collected);
                this.reset();
                for (const { labels: values, value } of collected) this.set(values, value);
              },
            }
          : {}),
      }),
    histogram: (name, help, labels = [], buckets = SECONDS_BUCKETS) =>
      new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers }),
  };
}

function measureProcess(): Registry {
  if (!processRegistry) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}
