/** The HTTP server with the web pages and the operator routes. */
import { join } from "node:path";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { PATHS } from "../../web/app/paths.ts";
import { type Health, registerHealth } from "../platform/http/health.ts";
import { findOperatorRefusal, registerMetricsRoute } from "../platform/http/metrics-route.ts";
import { registerSecurityTxt } from "../platform/http/security-txt.ts";
import { createHttpServer } from "../platform/http/server.ts";
import { createWebApp, registerWebApp, type WebAppOptions } from "../platform/http/web-app.ts";
import type { Platform } from "./platform.ts";

/** Output directory of the page build. */
const WEB_DIST = join(import.meta.dirname, "../../web/dist");

/** Paths that pages of approved applications may call cross-origin. */
const CROSS_ORIGIN_PATHS =
  /^\/(?:graphql(?:$|[/?])|api\/|v1\/|mcp(?:$|\?)|oauth\/(?:token|device_authorization|par|revoke|introspect|userinfo)(?:$|\?)|\.well-known\/)/;

/** @param isClientOrigin returns true if an approved application registered the origin */
export function createHttp(
  { config, logger, metrics, site }: Platform,
  isClientOrigin: (origin: string) => Promise<boolean>,
): FastifyInstance {
  const pages: WebAppOptions = {
    dist: WEB_DIST,
    pages: Object.values(PATHS),
    popupPages: [PATHS.consent, PATHS.signIn],
    site,
  };
  const webApp = createWebApp(pages);
  const apiOrigins = { isAllowed: isClientOrigin, paths: CROSS_ORIGIN_PATHS };
  const app: FastifyInstance = createHttpServer({ config, logger, metrics, webApp, apiOrigins });
  registerWebApp(app, webApp, pages);
  registerSecurityTxt(app, config, site);
  return app;
}

/** Registers the metrics and health routes. */
export function registerOperatorRoutes(app: FastifyInstance, { config, metrics, db, pubsub, parts }: Platform): Health {
  registerMetricsRoute(app, metrics, config.METRICS_TOKEN);
  const hasAccess = (request: FastifyRequest) => findOperatorRefusal(request, config.METRICS_TOKEN) === null;
  const health = registerHealth(app, { parts: { states: parts.states, hasAccess } });
  const ping = { name: "ping", text: "SELECT 1" };
  health.addCheck({ name: "database", isRequired: true, check: () => db.query(ping, []) });
  // Without it, requests succeed: events of other nodes arrive late, and limits are counted in PostgreSQL.
  health.addCheck({
    name: "pubsub",
    isRequired: false,
    check: async () => pubsub.isConnected() || Promise.reject(new Error("Disconnected")),
  });
  return health;
}

/** Returns the server's URL for processes on the same host. */
export function getLocalUrl(app: FastifyInstance): string {
  const address = app.server.address();
  if (address === null || typeof address === "string") throw new Error("The server does not listen on a port.");
  const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return `http://${host === "0.0.0.0" || host === "[::]" ? "127.0.0.1" : host}:${address.port}`;
}
