import type { FastifyReply, FastifyRequest } from "fastify";
import type { ExecutionResult, GraphQLError } from "graphql";
import { createYoga } from "graphql-yoga";
import { getCloseSignal } from "./disconnected.ts";
import { openEventStream, type StreamParts } from "./event-stream.ts";
import type { GraphqlRequest, GraphqlViewer } from "./options.ts";
import { serialiseResult } from "./request-errors.ts";
import { checkParams } from "./request-params.ts";
import { type GraphqlService, report, runOperation } from "./service.ts";

type ServerContext = { caller: GraphqlRequest<GraphqlViewer>; input: unknown };

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
 * Creates the handler of GraphiQL and of event streams. Yoga implements HTTP. Operations are prepared and run as in the lean handler,
 * with the same rules, limits and errors.
 */
export function createYogaHandler<TContext extends object, TViewer extends GraphqlViewer>(
  service: GraphqlService<TContext, TViewer>,
  parts: StreamParts<TViewer>,
  path: string,
): (request: FastifyRequest, reply: FastifyReply, input: unknown) => Promise<void> {
  const { options, limits, store } = service;

  const execute = async ({ caller, input }: ServerContext) => {
    const startedMs = performance.now();
    const refuse = (errors: readonly GraphQLError[]): ExecutionResult => {
      if (options.onOperation) report(options.onOperation, null, caller.transport, startedMs, errors.length);
      return { errors };
    };
    const checked = checkParams(input, limits);
    if (checked.error) return refuse([checked.error]);
    const { operation, errors } = store.prepare(checked.params);
    if (errors) return refuse(errors);
    const request = caller as GraphqlRequest<TViewer>;
    if (operation.kind !== "subscription") {
      const result = await runOperation(service, operation, checked.params.variables, request);
      // If the result cannot be serialised, Yoga's stream would never end.
      return result.data ? JSON.parse(serialiseResult(result, request.requestId, options.onUnexpectedError)) : result;
    }
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
        // The request is parsed already. Yoga's parsers throw for malformed parameters.
        onRequestParse: ({ setRequestParser }) => setRequestParser(() => ({ query: "{ __typename }" })),
        async onParams({ context, setResult }) {
          setResult((await execute(context as unknown as ServerContext)) as ExecutionResult);
        },
      },
    ],
  });

  return async (request, reply, input) => {
    const accept = request.headers.accept ?? "";
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined && name !== "content-type") reply.raw.setHeader(name, value);
    }
    if (request.method === "GET" && accept.includes("text/html")) {
      reply.raw.setHeader("content-security-policy", policy);
    }
    const caller = {
      headers: request.headers,
      ip: request.ip,
      requestId: request.id,
      transport: "http" as const,
      disconnected: () => getCloseSignal(reply.raw),
    };
    // Yoga throws for a Host header that is not a host, and must not read the body, which Fastify has read.
    const node = Object.create(request.raw, {
      headers: { value: { ...request.headers, host: "localhost", accept: withoutMultipart(accept) } },
      url: { value: path },
      body: { value: "{}" },
    });
    try {
      await yoga.handle(node, reply.raw, { caller, input });
    } catch (error) {
      options.onUnexpectedError?.(error, request.id);
      // Fastify sends no response after `hijack`, and the client would wait for one.
      reply.raw.destroy();
    }
  };
}

/** Removes multipart types: Yoga would prefer multipart for a subscription, and the service sends event streams only. */
function withoutMultipart(accept: string): string {
  const types = accept.split(",").map((type) => type.trim());
  const remaining = types.filter((type) => !type.startsWith("multipart/"));
  return remaining.map((type) => (type.startsWith("*/*") ? "application/json" : type)).join(", ");
}
