/** The HTTP server: limits, request ids, headers and error responses of all routes. */
import type { Socket } from "node:net";
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from "fastify";
import type { Config } from "../config/load.ts";
import { newId } from "../ids.ts";
import type { Logger } from "../observability/logger.ts";
import type { Metrics } from "../observability/metrics.ts";
import { isTracing } from "../observability/tracing.ts";
import { type AccessLogConfig, createAccessLog } from "./access-log.ts";
import { batchResponseWrites } from "./batch-writes.ts";
import { type ApiOrigins, registerCors } from "./cors.ts";
import { drainRefusedBodies } from "./drain-body.ts";
import { refuseEncodedBodies } from "./encoded-bodies.ts";
import { badRequestText, sendErrorResponse, sendNotFoundResponse } from "./error-response.ts";
import { observeRequests, traceRequests } from "./observe.ts";
import { warnAboutProxies } from "./proxy-warnings.ts";
import { createSecurityHeaders } from "./security-headers.ts";
import { requireSingleHost } from "./single-host.ts";
import { requireUtf8 } from "./utf8-body.ts";
import type { WebApp } from "./web-app.ts";

/** Default body limit; a route sets its own with `bodyLimit`. */
const BODY_LIMIT_BYTES = 1_048_576;
/** Timeout for receiving a whole request. */
const REQUEST_TIMEOUT_MS = 60_000;
const HEADERS_TIMEOUT_MS = 15_000;
/** Longer than the idle timeout of load balancers: if the server closed first, requests in transit would fail. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
const TIMEOUT_CHECK_INTERVAL_MS = 5_000;
const IDLE_CHECK_INTERVAL_MS = 50;

declare module "fastify" {
  interface FastifyContextConfig {
    /** `false` for a route that forwards another server's response. */
    securityHeaders?: boolean;
  }
}

export type HttpServerConfig = Pick<Config, "BASE_URL" | "CORS_ORIGINS" | "TRUST_PROXY"> & AccessLogConfig;

/** Creates a Fastify instance without routes. The caller registers routes and listens. */
export function createHttpServer(options: {
  config: HttpServerConfig;
  logger: Logger;
  metrics: Metrics;
  /** Renders the 404 page for browsers. */
  webApp?: WebApp;
  /** Origins that may call the API, in addition to CORS_ORIGINS. */
  apiOrigins?: ApiOrigins;
}): FastifyInstance {
  const { config, logger, metrics, webApp, apiOrigins = null } = options;
  const fixedHeaders = createSecurityHeaders({ isHttps: config.BASE_URL?.startsWith("https://") ?? false });
  const app: FastifyInstance = fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    requestIdHeader: false,
    // An id of the client could repeat that of another request, so it is only logged.
    genReqId: () => newId("req"),
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: config.TRUST_PROXY.length > 0 ? config.TRUST_PROXY : false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
      // Reduces the cost of a short GET by a sixth; requires `removeTypeWithoutBody`.
      optimizeEmptyRequests: true,
    },
    forceCloseConnections: "idle",
    return503OnClosing: false,
    routerOptions: { maxParamLength: 500 },
    // Hooks do not run for a path that the router rejects.
    frameworkErrors(error, request, reply) {
      reply.header("x-request-id", request.id).headers(fixedHeaders);
      sendErrorResponse(error, request, reply);
    },
    clientErrorHandler: handleClientError,
  });

  app.addHook("onRequest", (request, reply, done) => {
    removeTypeWithoutBody(request);
    reply.header("x-request-id", request.id);
    if (request.routeOptions.config.securityHeaders !== false) reply.headers(fixedHeaders);
    done();
  });
  requireSingleHost(app);
  drainRefusedBodies(app);
  refuseEncodedBodies(app);
  requireUtf8(app);
  closeIdleConnectionsOnShutdown(app);
  if (isTracing()) traceRequests(app);
  else batchResponseWrites(app);
  observeRequests(app, createAccessLog(config, logger), metrics);
  warnAboutProxies(app, config, logger);
  registerCors(app, config.CORS_ORIGINS, apiOrigins);
  app.setErrorHandler(sendErrorResponse);
  app.setNotFoundHandler((request, reply) =>
    webApp?.isPageRequest(request) ? webApp.sendPage(request, reply.code(404)) : sendNotFoundResponse(request, reply),
  );
  return app;
}

/**
 * Removes the content type of a request without a body. With one, Fastify would wait for ever for the end of a stream that
 * Node has already ended (`optimizeEmptyRequests`).
 */
function removeTypeWithoutBody({ headers }: FastifyRequest): void {
  if (headers["content-type"] === undefined || headers["content-length"] !== undefined) return;
  if (headers["transfer-encoding"] === undefined) delete headers["content-type"];
}

/**
 * Closes connections that become idle during shutdown. Fastify waits for all connections, but closes only those that are
 * idle when shutdown starts. A connection without a first request does not count as idle.
 */
function closeIdleConnectionsOnShutdown(app: FastifyInstance): void {
  let timer: NodeJS.Timeout | undefined;
  const sockets = new Set<Socket>();
  app.server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  app.addHook("preClose", (done) => {
    timer = setInterval(() => {
      app.server.closeIdleConnections();
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    }, IDLE_CHECK_INTERVAL_MS);
    done();
  });
  app.addHook("onClose", (_instance, done) => {
    clearInterval(timer);
    done();
  });
}

/** Responds on the socket if Node's parser rejects the input, since no request object exists then. */
function handleClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, text] =
    error.code === "ERR_HTTP_REQUEST_TIMEOUT"
      ? ["408 Request Timeout", "The request was not received in time."]
      : error.code === "HPE_HEADER_OVERFLOW"
        ? ["431 Request Header Fields Too Large", "The headers are too large."]
        : ["400 Bad Request", "The HTTP request is malformed."];
  const body = badRequestText(text);
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
