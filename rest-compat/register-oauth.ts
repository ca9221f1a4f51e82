/** Registration of the OAuth routes with fastify. */

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { convertDatabaseError } from "../src/platform/database/errors.ts";
import { ServiceUnavailableError, UnauthorizedError } from "../src/platform/errors.ts";
import { compileOperation } from "../src/platform/graphql/compile-operation.ts";
import { EncodedBodyError } from "../src/platform/http/encoded-bodies.ts";
import { canonicalRedirectUrl } from "../src/platform/http/site.ts";
import { decodeUtf8 } from "../src/platform/http/utf8-body.ts";
import { ANY_METHOD, addHead, createAllowHeader, methodNotAllowedMessage } from "./allowed-methods.ts";
import {
  describeUnavailable,
  handleOAuthRequest,
  type OAuthRunner,
  PUBLIC_PREFLIGHT,
  sendOAuthFailure,
} from "./dialects/oauth.ts";
import { OPENER_SCRIPT } from "./dialects/oauth-pages.ts";
import type { OAuthRoute } from "./oauth-route.ts";
import type { RestOptions } from "./options.ts";
import { OAUTH_ROUTES } from "./routes/oauth.ts";

/** Exceeds the size of any valid request by far. */
const BODY_LIMIT_BYTES = 64 * 1024;

/** Registers all OAuth routes, the script of the pop-up page, and a 405 response for other methods. */
export function registerOAuthRoutes(app: FastifyInstance, options: RestOptions): void {
  app.register(async (scope) => {
    // The dialect parses the body, because parse errors need an OAuth response.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, async (_request: unknown, body: Buffer) => decodeUtf8(body));
    for (const route of OAUTH_ROUTES) {
      const runner = { route, run: compileOperation(options.schema, route.document) as OAuthRunner["run"] };
      const { path: url } = route;
      scope.route({
        method: [...route.methods],
        url,
        bodyLimit: BODY_LIMIT_BYTES,
        errorHandler: (error, request, reply) => handleError(route, error, request, reply),
        handler: (request, reply) => handle(options, runner, request, reply),
      });
      const allowed = addHead(route.methods);
      const others = ["HEAD", ...ANY_METHOD].filter((method) => !allowed.includes(method));
      scope.route({
        method: others,
        url,
        handler: (request, reply) => {
          reply.headers(createAllowHeader(allowed));
          if (request.method === "OPTIONS") {
            if (route.caller === "public") reply.headers(PUBLIC_PREFLIGHT);
            return reply.code(204).send();
          }
          const message = methodNotAllowedMessage(url, route.methods);
          const failure = { code: "oauth_error", error: "invalid_request", message };
          return sendOAuthFailure({ caller: "client" }, request, reply, failure, 405);
        },
      });
    }
    scope.get("/oauth/opener.js", (_request, reply) =>
      reply.header("cache-control", "public, max-age=300").type("text/javascript; charset=utf-8").send(OPENER_SCRIPT),
    );
  });
}

async function handle(
  options: RestOptions,
  runner: OAuthRunner,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const isBrowser = runner.route.caller === "browser";
  if (isBrowser && request.method !== "POST") {
    const canonicalUrl = canonicalRedirectUrl(options.site, request.headers.host, request.url);
    if (canonicalUrl !== null)
      return reply.code(303).headers({ location: canonicalUrl, "cache-control": "no-store" }).send();
  }
  const context = await options.createContext({
    // Client credentials do not identify an account; the dialect reads them with the parameters.
    headers: runner.route.caller === "bearer" || isBrowser ? request.headers : {},
    requestId: request.id,
    target: request,
    access: request,
    ip: request.ip,
    cookies: isBrowser ? "navigation" : "none",
    isTrusted: true,
    ...((isBrowser || runner.route.caller === "bearer") && {
      addHeader: (name: string, value: string) => void reply.header(name, value),
    }),
  });
  return await handleOAuthRequest(runner, request, reply, context);
}

function handleError(route: OAuthRoute, error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof EncodedBodyError) {
    const failure = { code: "oauth_error", error: "invalid_request", message: error.message };
    return sendOAuthFailure(route, request, reply, failure);
  }
  const cause = convertDatabaseError(error);
  if (cause instanceof ServiceUnavailableError)
    return sendOAuthFailure(route, request, reply, describeUnavailable(cause));
  // Authentication added the challenge.
  if (cause instanceof UnauthorizedError) {
    const failure = { code: "oauth_error", error: "invalid_token", message: cause.message };
    return sendOAuthFailure(route, request, reply, failure);
  }
  const status = "statusCode" in error ? (error.statusCode ?? 500) : 500;
  if (status >= 400 && status < 500) {
    const message = status === 413 ? "The body is too large." : "The request is invalid.";
    const failure = { code: "oauth_error", error: "invalid_request", message };
    return sendOAuthFailure(route, request, reply, failure, status);
  }
  request.log.error({ err: error, route: route.path }, "unexpected error");
  const message = `The service failed unexpectedly. Quote the request ID when you report it: ${request.id}`;
  return sendOAuthFailure(route, request, reply, { code: "oauth_error", error: "server_error", message });
}
