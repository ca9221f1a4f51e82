import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { lazy } from "../concurrency/memoize.ts";
import { readAccept } from "./accept.ts";
import { createConnectionCaps } from "./connection-caps.ts";
import { createCredentialRegistry } from "./credentials.ts";
import { handleJsonPost } from "./lean-handler.ts";
import type { GraphqlOptions, GraphqlViewer } from "./options.ts";
import { formatResult, notAcceptable, requestError } from "./request-errors.ts";
import { tooLarge } from "./request-params.ts";
import { createGraphqlService } from "./service.ts";
import { createSubscriptionGroups } from "./subscription-groups.ts";
import { attachWsServer } from "./ws-server.ts";
import { createYogaHandler } from "./yoga-handler.ts";

export type GraphqlTransports = {
  /** Completes subscriptions and closes sockets (1001) and event streams. Also runs before Fastify closes. */
  close(): Promise<void>;
  /** Closes all sockets and streams of a credential (`credentialKey`) immediately, for example when a token is revoked. */
  disconnect(credentialKey: string): void;
};

/** A request with any of these headers has passed a CORS preflight, if it comes from a browser. */
const PREFLIGHT_HEADERS = ["x-graphql-yoga-csrf", "apollo-require-preflight", "x-apollo-operation-name"];

const FORM = "application/x-www-form-urlencoded";
/** Accepted media types of bodies other than JSON. */
const OTHER_BODIES = ["application/graphql", FORM];

/** Serves GraphQL over HTTP, server-sent events and WebSocket (graphql-transport-ws) on one path. */
export async function registerGraphql<TContext extends object, TViewer extends GraphqlViewer>(
  app: FastifyInstance,
  options: GraphqlOptions<TContext, TViewer>,
): Promise<GraphqlTransports> {
  const path = options.path ?? "/graphql";
  const service = createGraphqlService(options);
  const { limits } = service;
  const parts = {
    groups: createSubscriptionGroups(),
    caps: createConnectionCaps(limits),
    credentials: createCredentialRegistry<TViewer>({
      isStillValid: options.isStillValid,
      credentialKey: options.credentialKey,
      checkIntervalMs: limits.validityCheckIntervalMs,
      maxAgeMs: limits.validityMaxAgeMs,
      onError: (error) => options.onUnexpectedError?.(error, "validity check"),
    }),
  };
  const yoga = createYogaHandler(service, parts, path);
  const websockets = attachWsServer(app.server, path, service, parts);

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("application/json", { parseAs: "string", bodyLimit: limits.maxBodyBytes }, pass);
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: limits.maxBodyBytes }, pass);
    scope.setErrorHandler(createErrorHandler(limits.maxBodyBytes));
    scope.post(path, async (request, reply) => {
      const { body } = request;
      if (typeof body === "string") {
        const response = await handleJsonPost(service, request, reply, body);
        if (response !== null) return response;
        await yoga(request, reply, body);
        return reply;
      }
      if (!PREFLIGHT_HEADERS.some((name) => request.headers[name] !== undefined)) {
        const message = `Send application/json, or one of the headers ${PREFLIGHT_HEADERS.join(", ")}.`;
        throw requestError(message, "CSRF_PREVENTED");
      }
      const type = mediaTypeOf(request);
      if (!OTHER_BODIES.includes(type)) {
        throw requestError(`Send application/json, or ${OTHER_BODIES.join(" or ")}.`, "UNSUPPORTED_MEDIA_TYPE", 415);
      }
      if (type === FORM) checkParameters(new URLSearchParams(String(body)));
      await yoga(request, reply, body as Buffer | undefined);
      return reply;
    });
    scope.get(path, async (request, reply) => {
      checkAccept(request);
      const parameters = new URLSearchParams(request.url.split("?", 2)[1]);
      // A browser without a query receives GraphiQL.
      const isGraphiqlPage = options.graphiql && acceptsPage(request) && !parameters.get("query");
      if (!isGraphiqlPage) checkParameters(parameters);
      await yoga(request, reply, undefined);
      return reply;
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
    await closed;
  });
  app.addHook("preClose", close);
  return { close, disconnect: (credentialKey) => parts.credentials.disconnect(credentialKey) };
}

function mediaTypeOf({ headers }: FastifyRequest): string {
  return (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** Rejects an unacceptable Accept header, which Yoga would reject without a message. */
function checkAccept(request: FastifyRequest): void {
  const { json, eventStream } = readAccept(request.headers.accept);
  if (json === null && !eventStream && !acceptsPage(request)) throw notAcceptable();
}

function acceptsPage({ headers: { accept } }: FastifyRequest): boolean {
  return accept?.includes("text/html") ?? false;
}

/**
 * Rejects requests that Yoga handles wrongly: without a query (status 200) or with malformed JSON parameters (internal
 * error).
 */
function checkParameters(parameters: URLSearchParams): void {
  if (!parameters.get("query")) throw requestError("`query` must be a non-empty string.", "BAD_REQUEST");
  for (const name of ["variables", "extensions"]) {
    const text = parameters.get(name);
    if (text && !isJson(text)) throw requestError(`\`${name}\` is not valid JSON.`, "BAD_REQUEST");
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function pass(_request: FastifyRequest, body: string | Buffer, done: (error: null, body: string | Buffer) => void) {
  done(null, body);
}

const CODES: Readonly<Record<number, string>> = { 415: "UNSUPPORTED_MEDIA_TYPE" };

/** Creates an error handler that formats failures before the route handler, such as an oversized body, as GraphQL errors. */
function createErrorHandler(maxBodyBytes: number) {
  return (
    error: Error & { statusCode?: number; extensions?: unknown },
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    const status = error.statusCode ?? (error.extensions as { http?: { status?: number } } | undefined)?.http?.status;
    if (status === undefined || status >= 500) throw error;
    const graphqlError =
      status === 413
        ? tooLarge("bytes of body", maxBodyBytes)
        : requestError(
            error.message,
            String((error.extensions as { code?: string } | undefined)?.code ?? CODES[status] ?? "BAD_REQUEST"),
          );
    const mediaType = readAccept(request.headers.accept).json ?? "application/json";
    return reply
      .code(status)
      .header("content-type", `${mediaType}; charset=utf-8`)
      .send(JSON.stringify(formatResult({ errors: [graphqlError] })));
  };
}
