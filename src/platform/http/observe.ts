import type { FastifyInstance } from "fastify";
import type { Histogram } from "prom-client";
import { type Logger, writeInfoLine } from "../logger.ts";
import type { Metrics } from "../metrics.ts";

interface Series {
  readonly duration: Histogram.Internal<"method" | "route" | "status">;
  /** As JSON without its braces. */
  readonly logFields: string;
}

/**
 * One log line and one measurement for each request. They name the route's pattern and never the URL: paths and queries
 * may hold tokens.
 */
export function observeRequests(app: FastifyInstance, logger: Logger, metrics: Metrics): void {
  const duration = metrics.histogram("http_request_duration_seconds", "Time until an answer was sent.", [
    "method",
    "route",
    "status",
  ]);
  // Keys come from closed sets (registered routes, known methods), so this cannot grow without end.
  const known = new Map<string, Series>();
  const seriesOf = (method: string, route: string, status: number): Series => {
    const key = `${method} ${route} ${status}`;
    let series = known.get(key);
    if (!series) {
      const fields = JSON.stringify({ method, route, status }).slice(1, -1);
      series = { duration: duration.labels(method, route, String(status)), logFields: fields };
      known.set(key, series);
    }
    return series;
  };
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "unknown";
    const status = reply.statusCode;
    const durationMs = reply.elapsedTime;
    const series = seriesOf(request.method, route, status);
    series.duration.observe(durationMs / 1_000);
    // Request ids hold nothing that JSON would escape: the host makes them or has checked them.
    const fields = `"requestId":"${request.id}",${series.logFields},"durationMs":${durationMs.toFixed(1)},"msg":"request"`;
    writeInfoLine(logger, fields);
    done();
  });
}
