import { BlockList } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ForbiddenError, UnauthorizedError } from "../errors.ts";
import type { Metrics } from "../observability/metrics.ts";
import { isBearer } from "./bearer.ts";
import { errorBody } from "./error-response.ts";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** `GET /metrics` in Prometheus' text format: for the bearer of `token`, or for loopback callers when there is none. */
export function registerMetricsRoute(app: FastifyInstance, metrics: Metrics, token: string | undefined): void {
  app.get("/metrics", async (request, reply) => {
    const refusal = refuse(request, token);
    if (refusal) {
      const status = refusal.code === "unauthorized" ? 401 : 403;
      return reply.code(status).send(errorBody(refusal.code, refusal.message));
    }
    return reply.header("content-type", metrics.contentType).send(await metrics.text());
  });
}

function refuse(request: FastifyRequest, token: string | undefined): UnauthorizedError | ForbiddenError | null {
  if (token !== undefined) return isBearer(request, token) ? null : new UnauthorizedError();
  // A reverse proxy on this machine calls from loopback on behalf of anyone.
  const isForwarded = request.headers["x-forwarded-for"] !== undefined || request.headers["forwarded"] !== undefined;
  return isLoopback(request.socket.remoteAddress ?? "") && !isForwarded
    ? null
    : new ForbiddenError("Set METRICS_TOKEN to read metrics from another machine.");
}

function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, "");
  return loopback.check(plain, plain.includes(":") ? "ipv6" : "ipv4");
}
