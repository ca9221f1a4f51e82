import { isUtf8 } from "node:buffer";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { GraphQLError } from "graphql";
import { lazy } from "../concurrency/memoize.ts";
import { readAccept } from "./accept.ts";
import { createConnectionCaps } from "./connection-caps.ts";
import { createCredentialRegistry } from "./credentials.ts";
import { respondWithEventStream } from "./event-stream-handler.ts";
import { runRequest, statusOf } from "./lean-handler.ts";
import { openSubscriptions, type SubscriptionListener } from "./open-subscriptions.ts";
import type { GraphqlOptions, GraphqlRequest, GraphqlViewer } from "./options.ts";
import { formatResult, publicRequestError, requestError } from "./request-errors.ts";
import { readParameters, tooLarge } from "./request-params.ts";
import { createGraphqlService, type GraphqlService } from "./service.ts";
import { createSubscriptionGroups } from "./subscription-groups.ts";
import { attachWsServer } from "./ws-server.ts";
import { createYogaHandler } from "./yoga-handler.ts";

export type GraphqlTransports<TViewer extends GraphqlViewer> = {
  /** Ends sockets and event streams, because the service is draining. Also runs before Fastify closes. */
  close(): Promise<void>;
  /** Closes all sockets and streams of a credential (`credentialKey`) immediately, for example when a token is revoked. */
  disconnect(credentialKey: string): void;
  /** Opens subscriptions for a stream of another protocol. They share the limits and endings of event streams. */
  subscribe(
    documents: readonly string[],
    request: GraphqlRequest<TViewer>,
    listener: SubscriptionListener,
  ): ReturnType<typeof openSubscriptions>;
};

/** A request with any of these headers has passed a CORS preflight, if it comes from a browser. */
const PREFLIGHT_HEADERS = ["x-graphql-yoga-csrf", "apollo-require-preflight", "x-apollo-operation-name"];

const FORM = "application/x-www-form-urlencoded";

/** Serves GraphQL over HTTP, server-sent events and WebSocket (graphql-transport-ws) on one path. */
export async function registerGraphql<TContext extends object, TViewer extends GraphqlViewer>(
  app: FastifyInstance,
  options: GraphqlOptions<TContext, TViewer>,
): Promise<GraphqlTransports<TViewer>> {
  const path = options.path ?? "/graphql";
  const service = createGraphqlService(options);
  const { limits } = service;
  const parts = {
    groups: createSubscriptionGroups(),
    caps: createConnectionCaps(limits),
    openStreams: new Set<Promise<void>>(),
    credentials: createCredentialRegistry<TViewer>({
      isStillValid: options.isStillValid,
      credentialKey: options.credentialKey,
      checkIntervalMs: limits.validityCheckIntervalMs,
      maxAgeMs: limits.validityMaxAgeMs,
      onError: (error) => options.onUnexpectedError?.(error, "validity check"),
    }),
  };
  const yoga = createYogaHandler(options, path);
  const websockets = attachWsServer(app.server, path, service, parts);

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      "application/json",
      { parseAs: "buffer", bodyLimit: limits.maxBodyBytes },
      async (_request: FastifyRequest, body: Buffer) => decodeBody(body),
    );
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: limits.maxBodyBytes }, pass);
    scope.setErrorHandler(createErrorHandler(service));
    const respond = async (request: FastifyRequest, reply: FastifyReply, input: unknown, length: number) => {
      const response = await runRequest(service, request, reply, input, length);
      if (response !== null) return response;
      return respondWithEventStream(service, parts, request, reply, input);
    };
    scope.post(path, (request, reply) => {
      const text = String(request.body ?? "");
      return respond(request, reply, parseBody(request, text), text.length);
    });
    scope.get(path, async (request, reply) => {
      const parameters = new URLSearchParams(queryOf(request.url));
      // A browser without a query receives GraphiQL.
      if (options.graphiql && acceptsPage(request) && !parameters.get("query")) {
        await yoga(request, reply);
        return reply;
      }
      return respond(request, reply, readParameters(parameters), request.url.length);
    });
    scope.route({
      method: ["PUT", "PATCH", "DELETE"],
      url: path,
      handler: (_request, reply) => {
        reply.header("allow", "GET, HEAD, POST");
        throw requestError("Send operations with POST; queries may also use GET.", "BAD_REQUEST", 405);
      },
    });
  });

  const close = lazy(async () => {
    parts.credentials.stop();
    const closed = websockets.close();
    parts.groups.close();
    await Promise.all([closed, ...parts.openStreams]);
  });
  app.addHook("preClose", close);
  return {
    close,
    disconnect: (credentialKey) => parts.credentials.disconnect(credentialKey),
    subscribe: (documents, request, listener) => openSubscriptions(service, parts, documents, request, listener),
  };
}

/** @throws GraphQLError for a media type that is not accepted, or that any page can send, and for malformed JSON */
function parseBody(request: FastifyRequest, text: string): unknown {
  if (typeof request.body === "string") return parseJson(text);
  if (!PREFLIGHT_HEADERS.some((name) => request.headers[name] !== undefined)) {
    const message = `Send application/json, or one of the headers ${PREFLIGHT_HEADERS.join(", ")}.`;
    throw requestError(message, "CSRF_PREVENTED");
  }
  const type = (request.headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase();
  if (type === FORM) return readParameters(new URLSearchParams(text));
  if (type === "application/graphql") return { query: text };
  throw requestError(`Send application/json, application/graphql or ${FORM}.`, "UNSUPPORTED_MEDIA_TYPE", 415);
}

/** @throws GraphQLError for a body that is not UTF-8 */
function decodeBody(body: Buffer): string {
  if (!isUtf8(body)) throw requestError("The body is not valid UTF-8.", "BAD_REQUEST");
  return body.toString();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw requestError("The body is not valid JSON.", "BAD_REQUEST");
  }
}

/** Returns the query of a request target. `URL` would throw for an absolute target with a malformed authority. */
function queryOf(target: string): string {
  const start = target.indexOf("?");
  return start < 0 ? "" : target.slice(start + 1);
}

function acceptsPage({ headers: { accept } }: FastifyRequest): boolean {
  return accept?.includes("text/html") ?? false;
}

function pass(_request: FastifyRequest, body: string | Buffer, done: (error: null, body: string | Buffer) => void) {
  done(null, body);
}

const CODES: Readonly<Record<number, string>> = { 415: "UNSUPPORTED_MEDIA_TYPE" };

/** Creates an error handler that formats errors before and outside of operations, such as an oversized body, as GraphQL errors. */
function createErrorHandler<TContext extends object, TViewer extends GraphqlViewer>({
  limits,
  options,
}: GraphqlService<TContext, TViewer>) {
  return (error: Error & { statusCode?: number }, request: FastifyRequest, reply: FastifyReply) => {
    const { json } = readAccept(request.headers.accept);
    const mediaType = json ?? "application/json";
    const result = { errors: [asRequestError(error)] };
    return reply
      .code(statusOf(result, mediaType))
      .header("content-type", `${mediaType}; charset=utf-8`)
      .send(JSON.stringify(formatResult(result)));

    function asRequestError({ statusCode: status, message }: typeof error): GraphQLError {
      if (status === 413) return tooLarge("bytes of body", limits.maxBodyBytes);
      if (status !== undefined && status < 500) return requestError(message, CODES[status] ?? "BAD_REQUEST", status);
      return publicRequestError(error, request.id, options.onUnexpectedError);
    }
  };
}
