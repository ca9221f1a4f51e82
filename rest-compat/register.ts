/** Registration of the REST routes with fastify. Compiled operations run in process, not through HTTP. */

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { convertDatabaseError } from "../src/platform/database/errors.ts";
import { InvalidRequestError, ServiceError, UnauthorizedError } from "../src/platform/errors.ts";
import { compileOperation } from "../src/platform/graphql/compile-operation.ts";
import { decodeUtf8 } from "../src/platform/http/utf8-body.ts";
import { ANY_METHOD, addHead, createAllowHeader, methodNotAllowedMessage } from "./allowed-methods.ts";
import { handleNativeRequest } from "./dialects/native.ts";
import { handleProxyRequest } from "./dialects/proxy.ts";
import { registerDocs } from "./docs/register.ts";
import { dropTypeOfEmptyBody } from "./empty-body.ts";
import { readErrorMeanings } from "./error-meanings.ts";
import { parseExactJson } from "./exact-json.ts";
import { convertServiceError, createInternalFailure } from "./failure.ts";
import { createFailure, RejectedInputError, sendFailure } from "./failure-response.ts";
import { FILE_ROUTES } from "./file-routes.ts";
import type { RestOptions } from "./options.ts";
import { registerOAuthRoutes } from "./register-oauth.ts";
import { registerOpenAiRoutes } from "./register-openai.ts";
import { matchesPath, type RequestLimit, routerPath } from "./route.ts";
import { ROUTES } from "./routes.ts";
import type { Runner } from "./runner.ts";
import { createUnknownMemberHandler } from "./unknown-members.ts";

const PROXY_BODY_LIMIT_BYTES = 10 * 1024 * 1024;

declare module "fastify" {
  interface FastifyRequest {
    /** The GraphQL context of a REST request, created before its body is read. */
    operationContext: object | null;
  }
}

/** Registers all routes of the table, `/openapi.json` and `/docs`. */
export function registerRestRoutes(app: FastifyInstance, options: RestOptions): void {
  app.decorate("site", options.site);
  const runners = ROUTES.map((route) => ({
    route,
    run: compileOperation(options.schema, route.document) as Runner["run"],
    // The proxy never ignores them: an unencoded parameter of the target would make Satchel pay for another request.
    onUnknown: createUnknownMemberHandler(
      route.dialect === "proxy" ? "refuse" : options.unknownMembers,
      `${route.method} ${route.path}`,
      app.log,
    ),
  }));
  app.register(async (scope) => {
    scope.decorateRequest("operationContext", null);
    scope.setErrorHandler(handleError);
    scope.addHook("onRequest", dropTypeOfEmptyBody);
    // Rejects `text/plain` with a message about the media type: fastify would parse it as a string, which is no object.
    scope.removeContentTypeParser("text/plain");
    // Authenticates before the body is read: an unauthenticated client cannot make the service read 10 MiB.
    const authenticate =
      (accepts: "payer" | "account" | "login_token", { isPublic = false, limit }: Admission = {}) =>
      async (request: FastifyRequest, reply: FastifyReply) => {
        const context = await options.createContext({
          headers: request.headers,
          requestId: request.id,
          target: request,
          access: request,
          ip: request.ip,
          cookies: "none",
          accepts,
          isTrusted: true,
          addHeader: (name, value) => void reply.header(name, value),
        });
        if (context.viewer === null && !isPublic) {
          const failure = createFailure("unauthorized", new UnauthorizedError().message);
          return sendFailure(reply, failure);
        }
        if (limit) await options.countRequest(context, limit);
        request.operationContext = context;
      };
    const registerNativeRoutes = (routes: FastifyInstance, hasExactNumbers: boolean) => {
      for (const runner of runners.filter(({ route }) => route.dialect === "native")) {
        const { method, authentication = "account", limit } = runner.route;
        const isPublic = authentication === "none";
        if ((runner.route.hasExactNumbers ?? false) !== hasExactNumbers) continue;
        routes.route({
          method,
          url: routerPath(runner.route),
          onRequest: authenticate(isPublic ? "account" : authentication, { isPublic, limit }),
          handler: (request, reply) => handleNativeRequest(runner, request, reply, request.operationContext ?? {}),
        });
      }
    };
    registerNativeRoutes(scope, false);
    scope.register(async (exact) => {
      exact.removeContentTypeParser("application/json");
      exact.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => {
        try {
          done(null, parseExactJson(decodeUtf8(body as Buffer)));
        } catch (error) {
          done(
            error instanceof InvalidRequestError ? error : new InvalidRequestError("body is not valid JSON.", "body"),
          );
        }
      });
      registerNativeRoutes(exact, true);
    });
    scope.register(async (proxy) => {
      // The body is forwarded unchanged, byte for byte.
      proxy.removeAllContentTypeParsers();
      proxy.addContentTypeParser("*", { parseAs: "buffer" }, (request, body, done) => {
        const isJson = /^application\/(?:[\w.-]+\+)?json\b/i.test(request.headers["content-type"] ?? "");
        if (body.length > 0 && !isJson) done(new InvalidRequestError("body must be sent as application/json.", "body"));
        else done(null, body.length > 0 ? body : null);
      });
      for (const runner of runners.filter(({ route }) => route.dialect === "proxy")) {
        const { method, path: url } = runner.route;
        proxy.route({
          method,
          url,
          bodyLimit: PROXY_BODY_LIMIT_BYTES,
          config: { securityHeaders: false },
          onRequest: authenticate("payer"),
          handler: (request, reply) => handleProxyRequest(runner, request, reply, request.operationContext ?? {}),
        });
      }
    });
    scope.route({ method: ANY_METHOD, url: "/api/*", handler: handleUnknownRoute });
  });
  registerOAuthRoutes(app, options);
  registerOpenAiRoutes(app, options);
  registerDocs(app, options.site.baseUrl, readErrorMeanings(options.schema));
}

interface Admission {
  /** Whether the route accepts requests without a credential. */
  readonly isPublic?: boolean;
  readonly limit?: RequestLimit | undefined;
}

/** Responds to an unknown path, or to a known path with an unsupported method. */
function handleUnknownRoute(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [path] = request.url.split("?", 1);
  const routes = [...ROUTES, ...FILE_ROUTES].filter((route) => matchesPath(route, path ?? ""));
  const methods = routes.map((route) => route.method);
  // The router rejects an empty or overlong path parameter; no object has such an ID.
  const isMethodSupported = addHead(methods).includes(request.method);
  if (methods.length === 0 || isMethodSupported)
    return sendFailure(reply, createFailure("not_found", "There is no such route."));
  reply.headers(createAllowHeader(addHead(methods)));
  if (request.method === "OPTIONS") return reply.code(204).send();
  return sendFailure(reply, {
    ...createFailure("invalid_request", methodNotAllowedMessage(path ?? "", methods)),
    status: 405,
  });
}

function handleError(thrown: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = convertDatabaseError(thrown) as FastifyError | Error;
  if (error instanceof RejectedInputError) return sendFailure(reply, error.response);
  if (error instanceof ServiceError) return sendFailure(reply, convertServiceError(error));
  const status = "statusCode" in error ? (error.statusCode ?? 500) : 500;
  if (status === 413) return sendFailure(reply, createFailure("payload_too_large", "The body is too large."));
  if (status >= 400 && status < 500) {
    const isMediaType = "code" in error && error.code === "FST_ERR_CTP_INVALID_MEDIA_TYPE";
    const text = isMediaType ? "body must be sent as application/json." : "body is not valid JSON.";
    return sendFailure(reply, createFailure("invalid_request", text, { field: "body" }));
  }
  request.log.error({ err: error, route: request.routeOptions.url ?? null }, "unexpected error");
  return sendFailure(reply, createInternalFailure(request.id));
}
