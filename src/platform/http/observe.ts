import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Histogram } from "prom-client";
import { type Logger, writeInfoLine } from "../observability/logger.ts";
import type { Metrics } from "../observability/metrics.ts";
import { type RequestSpan, startRequestSpan } from "../observability/tracing.ts";

interface Series {
  readonly duration: Histogram.Internal<"method" | "route" | "status">;
  /** As JSON without its braces. */
  readonly logFields: string;
}

interface FinishedRequest {
  readonly requestId: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
}

/**
 * Logs and measures each request. Both contain the route's pattern and never the URL, since paths and queries may contain tokens.
 */
export function observeRequests(app: FastifyInstance, logger: Logger, metrics: Metrics): void {
  const duration = metrics.histogram("http_request_duration_seconds", "Time until the response was sent.", [
    "method",
    "route",
    "status",
  ]);
  // Keys come from closed sets (registered routes, known methods), so the map is bounded.
  const seriesByRoute = new Map<string, Map<string, Map<number, Series>>>();
  const getSeries = ({ method, route, status }: FinishedRequest): Series => {
    const existing = seriesByRoute.get(route)?.get(method)?.get(status);
    if (existing) return existing;
    const fields = JSON.stringify({ method, route, status }).slice(1, -1);
    const series = { duration: duration.labels(method, route, String(status)), logFields: fields };
    const ofRoute = seriesByRoute.get(route) ?? new Map<string, Map<number, Series>>();
    const ofMethod = ofRoute.get(method) ?? new Map<number, Series>();
    seriesByRoute.set(route, ofRoute.set(method, ofMethod.set(status, series)));
    return series;
  };
  // Requests that finish in one event loop iteration are recorded together after it, at half the cost of recording each.
  let finished: FinishedRequest[] = [];
  const observeAll = () => {
    const batch = finished;
    finished = [];
    for (const request of batch) {
      const { requestId, durationMs } = request;
      const series = getSeries(request);
      series.duration.observe(durationMs / 1_000);
      // Request ids contain no characters that JSON escapes: the server generated or validated them.
      const fields = `"requestId":"${requestId}",${series.logFields},"durationMs":${durationMs.toFixed(1)},"msg":"request"`;
      writeInfoLine(logger, fields);
    }
  };
  app.addHook("onResponse", (request, reply, done) => {
    const count = finished.push({
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? "unknown",
      status: reply.statusCode,
      durationMs: reply.elapsedTime,
    });
    if (count === 1) setImmediate(observeAll);
    done();
  });
  // The process may exit before `setImmediate` runs.
  process.on("exit", observeAll);
  app.addHook("onClose", (_instance, done) => {
    process.off("exit", observeAll);
    observeAll();
    done();
  });
}

/**
 * Creates a span for each request. It contains the route's pattern and never the URL, since paths and queries may contain tokens.
 * Register it before hooks whose work belongs to the span.
 */
export function traceRequests(app: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, RequestSpan>();
  app.addHook("onRequest", (request, _reply, done) => {
    const span = startRequestSpan(request);
    if (!span) return done();
    spans.set(request, span);
    span.run(done);
  });
  app.addHook("onResponse", (request, reply, done) => {
    spans.get(request)?.end(request.routeOptions.url ?? "unknown", reply.statusCode);
    done();
  });
}
