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

interface Ended {
  readonly requestId: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
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
  const known = new Map<string, Map<string, Map<number, Series>>>();
  const seriesOf = ({ method, route, status }: Ended): Series => {
    const series = known.get(route)?.get(method)?.get(status);
    if (series) return series;
    const fields = JSON.stringify({ method, route, status }).slice(1, -1);
    const made = { duration: duration.labels(method, route, String(status)), logFields: fields };
    const ofRoute = known.get(route) ?? new Map<string, Map<number, Series>>();
    const ofMethod = ofRoute.get(method) ?? new Map<number, Series>();
    known.set(route, ofRoute.set(method, ofMethod.set(status, made)));
    return made;
  };
  // What ends in one turn of the event loop is written down after it, in one go: half of what it costs in between.
  let ended: Ended[] = [];
  const observeAll = () => {
    const all = ended;
    ended = [];
    for (const request of all) {
      const { requestId, durationMs } = request;
      const series = seriesOf(request);
      series.duration.observe(durationMs / 1_000);
      // Request ids hold nothing that JSON would escape: the host makes them or has checked them.
      const fields = `"requestId":"${requestId}",${series.logFields},"durationMs":${durationMs.toFixed(1)},"msg":"request"`;
      writeInfoLine(logger, fields);
    }
  };
  app.addHook("onResponse", (request, reply, done) => {
    const count = ended.push({
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? "unknown",
      status: reply.statusCode,
      durationMs: reply.elapsedTime,
    });
    if (count === 1) setImmediate(observeAll);
    done();
  });
  // A process that ends in the middle of a turn still tells of it.
  process.on("exit", observeAll);
  app.addHook("onClose", (_instance, done) => {
    process.off("exit", observeAll);
    observeAll();
    done();
  });
}

/**
 * A span for each request, with what it does inside. It names the route's pattern and never the URL: paths and queries may
 * hold tokens. Registered before the hooks whose work belongs in it.
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
