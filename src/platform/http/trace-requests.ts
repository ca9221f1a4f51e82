import type { FastifyInstance, FastifyRequest } from "fastify";
import { type RequestSpan, startRequestSpan } from "../observability/tracing.ts";

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
