/** The HTTP host: limits, request ids, headers and error answers that every route shares. */
import type { Socket } from "node:net";
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from "fastify";
import type { Config } from "../config/load.ts";
import { newId } from "../ids.ts";
import type { Logger } from "../observability/logger.ts";
import type { Metrics } from "../observability/metrics.ts";
import { isTracing } from "../observability/tracing.ts";
import { batchResponseWrites } from "./batch-writes.ts";
import { type ApiOrigins, registerCors } from "./cors.ts";
import { drainRefusedBodies } from "./drain-body.ts";
import { refuseEncodedBodies } from "./encoded-bodies.ts";
import { badRequestText, sendErrorResponse, sendNotFoundResponse } from "./error-response.ts";
import { observeRequests, traceRequests } from "./observe.ts";
import { securityHeaders } from "./security-headers.ts";
import type { WebApp } from "./web-app.ts";

/** 1 MiB; a route that takes more says so with `bodyLimit`. */
const BODY_LIMIT_BYTES = 1_048_576;
/** A client that sends its request more slowly than this is cut off. */
const REQUEST_TIMEOUT_MS = 60_000;
const HEADERS_TIMEOUT_MS = 15_000;
/** Longer than load balancers keep an idle connection, so that they are the ones to close it. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
const TIMEOUT_CHECK_INTERVAL_MS = 5_000;
const IDLE_CHECK_INTERVAL_MS = 50;

const SANE_REQUEST_ID = /^[A-Za-z0-9._:/+=-]{1,100}$/;

declare module "fastify" {
  interface FastifyContextConfig {
    /** `false` where an answer from elsewhere passes through unchanged. */
    securityHeaders?: boolean;
  }
}

export type HttpServerConfig = Pick<Config, "BASE_URL" | "CORS_ORIGINS" | "TRUST_PROXY">;

/** A fastify instance with no routes of its own yet; the caller registers them and listens. */
export function createHttpServer(options: {
  config: HttpServerConfig;
  logger: Logger;
  metrics: Metrics;
  /** Answers people who follow a link to nowhere. */
  webApp?: WebApp;
  /** Pages of other sites that may call the API, besides those of CORS_ORIGINS. */
  apiOrigins?: ApiOrigins;
}): FastifyInstance {
  const { config, logger, metrics, webApp, apiOrigins = null } = options;
  const fixedHeaders = securityHeaders({ isHttps: config.BASE_URL?.startsWith("https://") ?? false });
  const app: FastifyInstance = fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    requestIdHeader: false,
    genReqId: ({ headers }) => requestId(headers["x-request-id"]),
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: config.TRUST_PROXY.length > 0 ? config.TRUST_PROXY : false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
      // A sixth of what a short GET costs; `dropTypeOfNoBody` is what it takes.
      optimizeEmptyRequests: true,
    },
    forceCloseConnections: "idle",
    return503OnClosing: false,
    routerOptions: { maxParamLength: 500 },
    // A path the router refuses passes no hook.
    frameworkErrors(error, request, reply) {
      reply.header("x-request-id", request.id).headers(fixedHeaders);
      sendErrorResponse(error, request, reply);
    },
    clientErrorHandler: answerMalformedHttp,
  });

  app.addHook("onRequest", (request, reply, done) => {
    dropTypeOfNoBody(request);
    reply.header("x-request-id", request.id);
    if (request.routeOptions.config.securityHeaders !== false) reply.headers(fixedHeaders);
    done();
  });
  drainRefusedBodies(app);
  refuseEncodedBodies(app);
  closeConnectionsAsTheyFallIdle(app);
  if (isTracing()) traceRequests(app);
  else batchResponseWrites(app);
  observeRequests(app, logger, metrics);
  registerCors(app, config.CORS_ORIGINS, apiOrigins);
  app.setErrorHandler(sendErrorResponse);
  app.setNotFoundHandler((request, reply) =>
    webApp?.answersUnknown(request) ? webApp.sendPage(request, reply.code(404)) : sendNotFoundResponse(request, reply),
  );
  return app;
}

/**
 * Clients name a type for bodies that they do not send. With one fastify would wait for the end of a stream that Node has ended
 * before (`optimizeEmptyRequests`), for ever.
 */
function dropTypeOfNoBody({ headers }: FastifyRequest): void {
  if (headers["content-type"] === undefined || headers["content-length"] !== undefined) return;
  if (headers["transfer-encoding"] === undefined) delete headers["content-type"];
}

/**
 * Closing waits for every connection, and only those idle at that moment are closed: one in use stays open after its
 * answer, and one that a client opened ahead of its first request counts as in use.
 */
function closeConnectionsAsTheyFallIdle(app: FastifyInstance): void {
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

function requestId(given: string | string[] | undefined): string {
  return typeof given === "string" && SANE_REQUEST_ID.test(given) ? given : newId("req");
}

/** What Node's parser refuses never becomes a request; it is answered on the socket. */
function answerMalformedHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, text] =
    error.code === "ERR_HTTP_REQUEST_TIMEOUT"
      ? ["408 Request Timeout", "The request took too long to arrive."]
      : error.code === "HPE_HEADER_OVERFLOW"
        ? ["431 Request Header Fields Too Large", "The headers are too large."]
        : ["400 Bad Request", "This is not a valid HTTP request."];
  const body = badRequestText(text);
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
