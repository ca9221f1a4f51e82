/** Warnings about requests that contradict the settings for a reverse proxy. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Config } from "../config/load.ts";
import type { Logger } from "../observability/logger.ts";

/** Load balancers and monitors call these by the node's own address. */
const OPERATOR_PATHS = /^\/(?:health\/|metrics(?:$|\?))/;

/**
 * Logs each contradiction once: a `Host` other than that of BASE_URL, which breaks sign-in, and `X-Forwarded-For` without
 * TRUST_PROXY, where all clients share one rate limit.
 */
export function warnAboutProxies(
  app: FastifyInstance,
  { BASE_URL, TRUST_PROXY }: Pick<Config, "BASE_URL" | "TRUST_PROXY">,
  logger: Logger,
): void {
  const expectedHost = BASE_URL === undefined ? null : new URL(BASE_URL).host;
  let checksHost = expectedHost !== null;
  let checksAddress = TRUST_PROXY.length === 0;
  if (!checksHost && !checksAddress) return;
  app.addHook("onRequest", (request, _reply, done) => {
    if ((checksHost || checksAddress) && !OPERATOR_PATHS.test(request.url)) check(request);
    done();
  });

  function check({ headers }: FastifyRequest): void {
    // A trusted proxy may replace the Host header, and states the original one.
    const forwardedHost = TRUST_PROXY.length > 0 ? headers["x-forwarded-host"] : undefined;
    const host = [forwardedHost ?? headers.host].flat()[0]?.toLowerCase();
    if (checksHost && host !== undefined && host !== expectedHost) {
      checksHost = false;
      logger.warn(
        { host: host.slice(0, 253), expectedHost },
        "A request has another Host than BASE_URL. Sign-in and passkeys work at BASE_URL only. Set BASE_URL to the public address, and make the proxy forward the Host header",
      );
    }
    if (checksAddress && headers["x-forwarded-for"] !== undefined) {
      checksAddress = false;
      logger.warn(
        "A request has X-Forwarded-For, but TRUST_PROXY is not set. All clients behind the proxy share one rate limit. Set TRUST_PROXY to the proxy's address",
      );
    }
  }
}
