/** The HTTP server with the pages for people, and where it listens. */
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { PATHS } from "../../web/app/paths.ts";
import { type Health, registerHealth } from "../platform/http/health.ts";
import { registerMetricsRoute } from "../platform/http/metrics-route.ts";
import { createHttpServer } from "../platform/http/server.ts";
import { createWebApp, registerWebApp, type WebAppOptions } from "../platform/http/web-app.ts";
import type { Platform } from "./platform.ts";

/** Where `npm install` and `npm start` build the pages. */
const WEB_DIST = join(import.meta.dirname, "../../web/dist");

/** What pages of approved applications' origins may call. */
const CROSS_ORIGIN_PATHS =
  /^\/(?:graphql(?:$|[/?])|api\/|v1\/|oauth\/(?:token|revoke|introspect|userinfo)(?:$|\?)|\.well-known\/)/;

/** @param isClientOrigin whether an approved application's pages are at that origin */
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
  return app;
}

/** What an operator asks: the figures, and whether this node should be sent requests. */
export function registerOperatorRoutes(app: FastifyInstance, { config, metrics, db, pubsub }: Platform): Health {
  registerMetricsRoute(app, metrics, config.METRICS_TOKEN);
  const health = registerHealth(app);
  health.addCheck({ name: "database", check: () => db.query({ name: "ping", text: "SELECT 1" }, []) });
  health.addCheck({ name: "pubsub", check: async () => pubsub.isConnected() || Promise.reject(new Error("away")) });
  return health;
}

/** Where it listens, for processes of this machine. */
export function localUrlOf(app: FastifyInstance): string {
  const address = app.server.address();
  if (address === null || typeof address === "string") throw new Error("The server does not listen on a port.");
  const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return `http://${host === "0.0.0.0" || host === "[::]" ? "127.0.0.1" : host}:${address.port}`;
}
