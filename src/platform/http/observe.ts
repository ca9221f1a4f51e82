import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Histogram } from "prom-client";
import type { Metrics } from "../observability/metrics.ts";
import { type RequestSpan, startRequestSpan } from "../observability/tracing.ts";
import type { Access, WriteAccess } from "./access-log.ts";

interface Series {
  readonly duration: Histogram.Internal<"method" | "route" | "status">;
  /** As JSON without its braces. */
  readonly logFields: string;
}

interface FinishedRequest extends Omit<Access, "fields"> {
  readonly method: string;
  readonly route: string;
  readonly status: number;
}

/**
 * Logs and measures each request. Both contain the route's pattern and never the URL, since paths and queries may contain tokens.
 */
export function observeRequests(app: FastifyInstance, writeAccess: WriteAccess | null, metrics: Metrics): void {
  app.decorateRequest("loggedCaller", null);
  app.decorateRequest("loggedOperation", null);
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
      const series = getSeries(request);
      series.duration.observe(request.durationMs / 1_000);
      writeAccess?.({ ...request, fields: series.logFields });
    }
  };
  app.addHook("onResponse", (request, reply, done) => {
    const count = finished.push({
      requestId: request.id,
      clientRequestId: request.headers["x-request-id"],
      // After a disconnect the address is undefined.
      address: request.ip ?? "",
      loggedCaller: request.loggedCaller,
      loggedOperation: request.loggedOperation,
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
