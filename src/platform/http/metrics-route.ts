import { BlockList } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ForbiddenError, UnauthorizedError } from "../errors.ts";
import type { Metrics } from "../observability/metrics.ts";
import { isBearer } from "./bearer.ts";
import { errorBody } from "./error-response.ts";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Registers `GET /metrics` in Prometheus text format. Requires one of the bearer tokens; without any, a loopback client. */
export function registerMetricsRoute(app: FastifyInstance, metrics: Metrics, tokens: readonly string[]): void {
  app.get("/metrics", async (request, reply) => {
    const refusal = findOperatorRefusal(request, tokens);
    if (refusal) {
      const status = refusal.code === "unauthorized" ? 401 : 403;
      return reply.code(status).send(errorBody(refusal.code, refusal.message));
    }
    return reply.header("content-type", metrics.contentType).send(await metrics.text());
  });
}

/** Returns why the request may not read what only operators may, or null. `tokens` is METRICS_TOKEN. */
export function findOperatorRefusal(
  request: FastifyRequest,
  tokens: readonly string[],
): UnauthorizedError | ForbiddenError | null {
  if (tokens.length > 0) return isBearer(request, tokens) ? null : new UnauthorizedError();
  // A reverse proxy on this machine forwards requests of any client from a loopback address.
  const isForwarded = request.headers["x-forwarded-for"] !== undefined || request.headers["forwarded"] !== undefined;
  return isLoopback(request.socket.remoteAddress ?? "") && !isForwarded
    ? null
    : new ForbiddenError(
        "Metrics are available to loopback clients only. Set METRICS_TOKEN for access from other machines.",
      );
}

function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, "");
  return loopback.check(plain, plain.includes(":") ? "ipv6" : "ipv4");
}
