import type { FastifyReply, FastifyRequest } from "fastify";
import type { ExecutionResult, GraphQLError } from "graphql";
import { createYoga, type YogaInitialContext } from "graphql-yoga";
import { getCloseSignal } from "./disconnected.ts";
import { openEventStream, type StreamParts } from "./event-stream.ts";
import type { GraphqlRequest, GraphqlViewer } from "./options.ts";
import { requestError } from "./request-errors.ts";
import { checkParams } from "./request-params.ts";
import { type GraphqlService, report, runOperation } from "./service.ts";

type ServerContext = { caller: GraphqlRequest<GraphqlViewer>; method: string; acceptsStream: boolean };

/** Content security policy of the GraphiQL page, which runs inline scripts and blob workers. `cdn` is an additional source. */
function graphiqlPolicy(cdn: string): string {
  const own = `'self'${cdn}`;
  return [
    "default-src 'none'",
    `script-src ${own} 'unsafe-inline' blob:`,
    `style-src ${own} 'unsafe-inline'`,
    `font-src ${own} data:`,
    "img-src 'self' data: https:",
    "worker-src blob:",
    `connect-src ${own}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

const DEFAULT_QUERY = '# Enter a token under Headers: { "X-Service-Token": "..." }\n\nquery { __typename }\n';

/**
 * Creates the handler of requests other than plain JSON POST: GraphiQL, GET, event streams, forms. Yoga implements HTTP.
 * Operations are prepared and run as in the lean handler, with the same rules, limits and errors.
 */
export function createYogaHandler<TContext extends object, TViewer extends GraphqlViewer>(
  service: GraphqlService<TContext, TViewer>,
  parts: StreamParts<TViewer>,
  path: string,
): (request: FastifyRequest, reply: FastifyReply, body: string | Buffer | undefined) => Promise<void> {
  const { options, limits, store } = service;

  const execute = async (params: unknown, { caller, method, acceptsStream }: ServerContext) => {
    const startedMs = performance.now();
    const refuse = (errors: readonly GraphQLError[]): ExecutionResult => {
      if (options.onOperation) report(options.onOperation, null, caller.transport, startedMs, errors.length);
      return { errors };
    };
    const checked = checkParams(params, limits);
    if (checked.error) return refuse([checked.error]);
    const { operation, errors } = store.prepare(checked.params.query, checked.params.operationName);
    if (errors) return refuse(errors);
    if (operation.kind === "mutation" && method === "GET") {
      caller.addHeader?.("allow", "POST");
      return refuse([requestError("Mutations require POST.", "BAD_REQUEST", 405)]);
    }
    const request = caller as GraphqlRequest<TViewer>;
    if (operation.kind !== "subscription") {
      return runOperation(service, operation, checked.params.variables, request);
    }
    if (!acceptsStream)
      return refuse([requestError("Subscriptions require text/event-stream.", "NOT_ACCEPTABLE", 406)]);
    return openEventStream(service, parts, operation, checked.params, { ...request, transport: "sse" });
  };

  const policy = graphiqlPolicy(options.renderGraphiql ? "" : " https://unpkg.com");
  const yoga = createYoga<ServerContext>({
    graphqlEndpoint: path,
    schema: options.schema,
    logging: false,
    cors: false,
    landingPage: false,
    multipart: false,
    batching: false,
    maskedErrors: false,
    maxRequestBodySize: limits.maxBodyBytes,
    graphiql: options.graphiql
      ? { title: "Satchel", subscriptionsProtocol: "SSE", defaultQuery: DEFAULT_QUERY }
      : false,
    ...(options.renderGraphiql ? { renderGraphiQL: options.renderGraphiql } : {}),
    plugins: [
      {
        async onParams({ params, context, setResult }) {
          const found = context as unknown as YogaInitialContext & ServerContext;
          setResult((await execute(params, found)) as ExecutionResult);
        },
      },
    ],
  });

  return async (request, reply, body) => {
    const accept = request.headers.accept ?? "";
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    // HEAD is handled as GET; Node omits the body.
    const method = request.method === "HEAD" ? "GET" : request.method;
    if (method === "GET" && accept.includes("text/html")) {
      reply.raw.setHeader("content-security-policy", policy);
    }
    const acceptsStream = request.method !== "HEAD" && accept.includes("text/event-stream");
    const caller = {
      headers: request.headers,
      ip: request.ip,
      requestId: request.id,
      transport: "http" as const,
      disconnected: () => getCloseSignal(reply.raw),
      ...(acceptsStream
        ? {}
        : { addHeader: (name: string, value: string) => void reply.raw.appendHeader(name, value) }),
    };
    if (acceptsStream) request.raw.headers.accept = withoutMultipart(accept);
    // Fastify has read the body; the adapter reads it from this property.
    const node = Object.assign(request.raw, { body, method });
    await yoga.handle(node, reply.raw, { caller, method, acceptsStream });
  };
}

/** Removes multipart types: Yoga would prefer multipart for a subscription, and the service sends event streams only. */
function withoutMultipart(accept: string): string {
  const types = accept.split(",").map((type) => type.trim());
  const remaining = types.filter((type) => !type.startsWith("multipart/"));
  return remaining.map((type) => (type.startsWith("*/*") ? "application/json" : type)).join(", ");
}
