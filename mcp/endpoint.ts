/** `POST /mcp` over HTTP: checks of `Host` and `Origin`, JSON-RPC errors, and the exchange with the SDK's handler. */
import { Readable } from "node:stream";
import { createMcpHandler, type McpServer, type Server, type ServerNotifier } from "@modelcontextprotocol/server";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { convertDatabaseError } from "../src/platform/database/errors.ts";
import { InvalidRequestError, ServiceUnavailableError } from "../src/platform/errors.ts";
import { EncodedBodyError } from "../src/platform/http/encoded-bodies.ts";
import { MCP_PATH } from "../src/platform/http/resources.ts";
import type { Site } from "../src/platform/http/site.ts";
import { findFault } from "./batches.ts";
import { methodOf, toMessages } from "./message.ts";
import { isHostAllowed, isOriginOfSite } from "./sources.ts";

const BODY_LIMIT_BYTES = 1_048_576;
const OTHER_METHODS = ["GET", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** One HTTP exchange. */
export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Aborted when the client disconnects before the response is written. */
  readonly signal: AbortSignal;
  /** Resolves with whether the whole response was written. Never rejects. */
  readonly delivered: Promise<boolean>;
  /** Counts work as part of the exchange until it ends, also after a disconnect. Returns it. */
  track<Result>(work: Promise<Result>): Promise<Result>;
}

export interface Endpoint<Caller> {
  readonly site: Site;
  isOriginAllowed(origin: string): boolean | Promise<boolean>;
  /** Authenticates before the body is read. Returns null if it sent a response. */
  admit(exchange: Exchange): Promise<Caller | null>;
  /** Checks the messages of the body. Returns false if it sent a response. */
  checkMessages?(caller: Caller, messages: readonly unknown[], exchange: Exchange): boolean;
  /**
   * Counts the messages as in flight. Absent: there is no limit.
   * @returns the function that ends them when the exchange and its work have ended, or null after a response
   */
  begin?(caller: Caller, messages: readonly unknown[], exchange: Exchange): (() => void) | null;
  /** @param isModern whether the request is of revision 2026-07-28 or later */
  createServer(caller: Caller, exchange: Exchange, isModern: boolean): McpServer | Server;
  /**
   * Opens what one stream of `subscriptions/listen` is about. Absent: `notify` reaches all streams.
   * @returns the message with what the caller may watch, or null after a response
   */
  watch?(caller: Caller, message: ListenMessage, exchange: Exchange, stream: ChangeStream): Promise<object | null>;
}

/** A request to open a stream of changes; not yet validated. */
export interface ListenMessage {
  readonly params?: { readonly notifications?: unknown } | null;
}

/** One stream of changes. */
export interface ChangeStream {
  readonly notify: ServerNotifier;
  /** Writes the end of the stream. */
  end(): void;
}

const LISTEN = "subscriptions/listen";
const INVALID_REQUEST = -32_600;

interface Admitted<Caller> extends Exchange {
  caller?: Caller;
  /** Resolves when the work of the exchange has ended. Never rejects. */
  settled(): Promise<unknown>;
}

/**
 * Registers the route. It is stateless: each request gets a server of its own, for every revision of the protocol.
 * @returns what notifies the subscribers of this process about changes
 */
export function registerEndpoint<Caller>(app: FastifyInstance, endpoint: Endpoint<Caller>): ServerNotifier {
  const exchanges = new WeakMap<FastifyRequest, Admitted<Caller>>();
  const createHandler = () =>
    createMcpHandler(
      ({ authInfo, era }) => {
        const exchange = authInfo?.extra?.["exchange"] as Admitted<Caller>;
        return endpoint.createServer(exchange.caller as Caller, exchange, era === "modern");
      },
      { onerror: (error) => app.log.debug({ err: error }, "MCP request refused") },
    );
  type Handler = ReturnType<typeof createHandler>;
  const shared = createHandler();
  app.addHook("onClose", () => shared.close());

  const respond = async (handler: Handler, body: unknown, exchange: Admitted<Caller>) => {
    const { request, reply, signal } = exchange;
    const response = await handler.fetch(toWebRequest(endpoint.site, request, signal), {
      parsedBody: body,
      authInfo: { token: "", clientId: "", scopes: [], extra: { exchange } },
    });
    return await sendWebResponse(reply, response);
  };

  /** Responds with a stream that has a handler of its own, and therefore only its own changes. */
  const respondWithChanges = async (message: ListenMessage, exchange: Admitted<Caller>) => {
    const handler = createHandler();
    const stream = { notify: handler.notify, end: () => void handler.close() };
    const watched = await endpoint.watch?.(exchange.caller as Caller, message, exchange, stream);
    return watched ? await respond(handler, watched, exchange) : exchange.reply;
  };

  app.register(async (scope) => {
    scope.setErrorHandler(handleError);
    scope.removeContentTypeParser("text/plain");
    scope.route({
      method: "POST",
      url: MCP_PATH,
      bodyLimit: BODY_LIMIT_BYTES,
      onRequest: async (request, reply) => {
        reply.header("cache-control", "no-store");
        const refusal = await findRefusal(endpoint, request);
        if (refusal !== null) return sendRpcError(reply, 403, refusal);
        const exchange: Admitted<Caller> = { request, reply, ...watchDelivery(reply), ...createWork() };
        const caller = await endpoint.admit(exchange);
        if (caller === null) return reply;
        exchange.caller = caller;
        exchanges.set(request, exchange);
      },
      handler: async (request, reply) => {
        const exchange = exchanges.get(request) as Admitted<Caller>;
        const messages = toMessages(request.body);
        const fault = findFault(messages);
        if (fault !== null) return sendRpcError(reply, 400, fault, INVALID_REQUEST);
        if (endpoint.checkMessages?.(exchange.caller as Caller, messages, exchange) === false) return reply;
        const isListen = endpoint.watch && methodOf(request.body) === LISTEN;
        if (isListen) return await respondWithChanges(request.body as ListenMessage, exchange);
        const end = endpoint.begin ? endpoint.begin(exchange.caller as Caller, messages, exchange) : () => {};
        if (end === null) return reply;
        try {
          return await respond(shared, request.body, exchange);
        } finally {
          // A result occupies memory until it is written. Work continues after a disconnect.
          void exchange.delivered.then(exchange.settled).then(end);
        }
      },
    });
    scope.route({
      method: OTHER_METHODS,
      url: MCP_PATH,
      handler: async (request, reply) => {
        reply.header("allow", "POST");
        if (request.method === "OPTIONS") return reply.code(204).send();
        return sendRpcError(
          reply,
          405,
          "Send JSON-RPC messages by POST. This server has no sessions. Revision 2026-07-28 opens streams of changes by POST too.",
        );
      },
    });
  });
  return shared.notify;
}

/** Responds with a JSON-RPC error outside of any request. */
export function sendRpcError(reply: FastifyReply, status: number, message: string, code = -32_000): FastifyReply {
  return reply.code(status).send({ jsonrpc: "2.0", id: null, error: { code, message } });
}

async function findRefusal(
  { site, isOriginAllowed }: Pick<Endpoint<unknown>, "site" | "isOriginAllowed">,
  request: FastifyRequest,
): Promise<string | null> {
  const { origin } = request.headers;
  if (!isHostAllowed(site, request.hostname)) return "The Host header does not name this service.";
  // Programs send no Origin; a page of another site sends its own.
  if (origin === undefined || isOriginOfSite(site, origin) || (await isOriginAllowed(origin))) return null;
  return "Pages of this origin may not call the server.";
}

function watchDelivery(reply: FastifyReply): Pick<Exchange, "signal" | "delivered"> {
  const disconnect = new AbortController();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  reply.raw.once("close", () => {
    const { writableFinished } = reply.raw;
    if (!writableFinished) disconnect.abort();
    resolve(writableFinished);
  });
  return { signal: disconnect.signal, delivered: promise };
}

function createWork(): Pick<Admitted<unknown>, "track" | "settled"> {
  const running = new Set<Promise<unknown>>();
  return {
    track(work) {
      running.add(work);
      const remove = () => void running.delete(work);
      work.then(remove, remove);
      return work;
    },
    settled: () => Promise.allSettled(running),
  };
}

/** Headers that the protocol defines. The SDK reads no others, and each costs time in a `Request`. */
const PROTOCOL_HEADER = /^(?:accept|content-type|mcp-.+)$/;

/** Returns the request without its body, which is parsed already, and without the credential. */
function toWebRequest(site: Site, { headers, url }: FastifyRequest, signal: AbortSignal): Request {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || !PROTOCOL_HEADER.test(name) ? [] : [[name, [value].flat().join(", ")] as [string, string]],
  );
  // The Host header may have a port that no URL can have.
  return new Request(new URL(url, site.baseUrl()), { method: "POST", headers: entries, signal });
}

async function sendWebResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status);
  for (const [name, value] of response.headers) reply.header(name, value);
  if (response.body === null) return reply.send();
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  return reply.send(isStream ? Readable.fromWeb(response.body as never) : await response.text());
}

function handleError(thrown: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = convertDatabaseError(thrown) as FastifyError | Error;
  if (error instanceof InvalidRequestError) return sendRpcError(reply, 400, error.message, -32_602);
  if (error instanceof EncodedBodyError) return sendRpcError(reply, 415, error.message);
  if (error instanceof ServiceUnavailableError) {
    reply.header("retry-after", String(Math.ceil(error.retryAfterMs / 1_000)));
    return sendRpcError(reply, 503, error.message);
  }
  const status = "statusCode" in error ? (error.statusCode ?? 500) : 500;
  if (status === 413) return sendRpcError(reply, 413, "The body is too large.");
  if (status === 415) return sendRpcError(reply, 415, "The body must be sent as application/json.");
  if (status >= 400 && status < 500) return sendRpcError(reply, 400, "The body is not valid JSON.", -32_700);
  request.log.error({ err: error, route: MCP_PATH }, "unexpected error");
  return sendRpcError(reply, 500, `The service failed unexpectedly. Report the request id: ${request.id}.`, -32_603);
}
