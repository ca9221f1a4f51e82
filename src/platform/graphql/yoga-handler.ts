import type { FastifyReply, FastifyRequest } from "fastify";
import { createYoga } from "graphql-yoga";
import type { GraphqlOptions, GraphqlViewer } from "./options.ts";

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

/** Creates the handler of the GraphiQL page. Operations never reach Yoga. */
export function createYogaHandler<TContext extends object, TViewer extends GraphqlViewer>(
  options: GraphqlOptions<TContext, TViewer>,
  path: string,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const policy = graphiqlPolicy(options.renderGraphiql ? "" : " https://unpkg.com");
  const yoga = createYoga({
    graphqlEndpoint: path,
    schema: options.schema,
    logging: false,
    cors: false,
    landingPage: false,
    multipart: false,
    batching: false,
    maskedErrors: false,
    graphiql: options.graphiql
      ? { title: "Satchel", subscriptionsProtocol: "SSE", defaultQuery: DEFAULT_QUERY }
      : false,
    ...(options.renderGraphiql ? { renderGraphiQL: options.renderGraphiql } : {}),
  });

  return async (request, reply) => {
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    reply.raw.setHeader("content-security-policy", policy);
    // Yoga throws for a Host header that is not a host. HEAD is handled as GET; Node omits the body.
    const headers = { ...request.headers, host: "localhost" };
    const node = Object.create(request.raw, {
      headers: { value: headers },
      method: { value: "GET" },
      url: { value: path },
    });
    try {
      await yoga.handle(node, reply.raw);
    } catch (error) {
      options.onUnexpectedError?.(error, request.id);
      // Fastify sends no response after `hijack`, and the client would wait for one.
      reply.raw.destroy();
    }
  };
}
