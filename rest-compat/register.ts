/** Puts the route table onto fastify. Operations run compiled and in process, never through HTTP. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { InvalidRequestError, ServiceError, UnauthorizedError } from "../src/platform/errors.ts";
import { compileOperation } from "../src/platform/graphql/compile-operation.ts";
import { meaningsIn } from "./described-codes.ts";
import { answerNative } from "./dialects/native.ts";
import { answerProxy } from "./dialects/proxy.ts";
import { registerDocs } from "./docs/register.ts";
import { dropTypeOfEmptyBody } from "./empty-body.ts";
import { parseExactJson } from "./exact-json.ts";
import { internalFailure, serviceFailure } from "./failure.ts";
import { failureOf, Refusal, sendFailure } from "./failure-answer.ts";
import { FILE_ROUTES } from "./file-routes.ts";
import type { RestOptions } from "./options.ts";
import { ANY_METHOD, allowHeader, takesOnly, withHead } from "./other-methods.ts";
import { registerOAuthRoutes } from "./register-oauth.ts";
import { registerOpenAiRoutes } from "./register-openai.ts";
import { isPathOf, type RequestLimit, routerPath } from "./route.ts";
import { ROUTES } from "./routes.ts";
import type { Runner } from "./runner.ts";

const PROXY_BODY_LIMIT_BYTES = 10 * 1024 * 1024;

declare module "fastify" {
  interface FastifyRequest {
    /** The GraphQL context of a REST request, made before its body is read. */
    operationContext: object | null;
  }
}

/** Registers every route of the table, `/openapi.json` and `/docs`. */
export function registerRestRoutes(app: FastifyInstance, options: RestOptions): void {
  const runners = ROUTES.map((route) => ({
    route,
    run: compileOperation(options.schema, route.document) as Runner["run"],
  }));
  app.register(async (scope) => {
    scope.decorateRequest("operationContext", null);
    scope.setErrorHandler(answerError);
    scope.addHook("onRequest", dropTypeOfEmptyBody);
    // A text is no object, whatever it holds: its sender forgot the header.
    scope.removeContentTypeParser("text/plain");
    // Before the body is read: nobody unknown makes the service read 10 MiB.
    const authenticate =
      (accepts: "payer" | "account" | "login_token", { isOpen = false, limit }: Admission = {}) =>
      async (request: FastifyRequest, reply: FastifyReply) => {
        const context = await options.createContext({
          headers: request.headers,
          requestId: request.id,
          ip: request.ip,
          cookies: "none",
          accepts,
          isTrusted: true,
          addHeader: (name, value) => void reply.header(name, value),
        });
        if (context.viewer === null && !isOpen) {
          const failure = failureOf("unauthorized", new UnauthorizedError().message);
          return sendFailure(reply, failure);
        }
        if (limit) await options.countRequest(context, limit);
        request.operationContext = context;
      };
    const native = (routes: FastifyInstance, exactNumbers: boolean) => {
      for (const runner of runners.filter(({ route }) => route.dialect === "native")) {
        const { method, authentication = "account", limit } = runner.route;
        const isOpen = authentication === "none";
        if ((runner.route.exactNumbers ?? false) !== exactNumbers) continue;
        routes.route({
          method,
          url: routerPath(runner.route),
          onRequest: authenticate(isOpen ? "account" : authentication, { isOpen, limit }),
          handler: (request, reply) => answerNative(runner, request, reply, request.operationContext ?? {}),
        });
      }
    };
    native(scope, false);
    scope.register(async (exact) => {
      exact.removeContentTypeParser("application/json");
      exact.addContentTypeParser("application/json", { parseAs: "string" }, (_request, body, done) => {
        try {
          done(null, parseExactJson(body as string));
        } catch {
          done(new InvalidRequestError("body is not valid JSON.", "body"));
        }
      });
      native(exact, true);
    });
    scope.register(async (proxy) => {
      // The body goes on as it came, byte for byte.
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
          handler: (request, reply) => answerProxy(runner, request, reply, request.operationContext ?? {}),
        });
      }
    });
    scope.route({ method: ANY_METHOD, url: "/api/*", handler: answerUnknown });
  });
  registerOAuthRoutes(app, options);
  registerOpenAiRoutes(app, options);
  registerDocs(app, options.site.baseUrl, meaningsIn(options.schema));
}

interface Admission {
  /** Whether nobody in particular may call, too. */
  readonly isOpen?: boolean;
  readonly limit?: RequestLimit | undefined;
}

/** A path that is not there, or not with this method. */
function answerUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [path] = request.url.split("?", 1);
  const routes = [...ROUTES, ...FILE_ROUTES].filter((route) => isPathOf(route, path ?? ""));
  const methods = routes.map((route) => route.method);
  // What a route takes and did not get was nobody's: its parameter was empty, or longer than any id.
  const isTaken = withHead(methods).includes(request.method);
  if (methods.length === 0 || isTaken) return sendFailure(reply, failureOf("not_found", "There is no such route."));
  reply.headers(allowHeader(withHead(methods)));
  if (request.method === "OPTIONS") return reply.code(204).send();
  return sendFailure(reply, { ...failureOf("invalid_request", takesOnly(path ?? "", methods)), status: 405 });
}

function answerError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof Refusal) return sendFailure(reply, error.answer);
  if (error instanceof ServiceError) return sendFailure(reply, serviceFailure(error));
  const status = "statusCode" in error ? (error.statusCode ?? 500) : 500;
  if (status === 413) return sendFailure(reply, failureOf("payload_too_large", "The body is too large."));
  if (status >= 400 && status < 500) {
    const isMediaType = "code" in error && error.code === "FST_ERR_CTP_INVALID_MEDIA_TYPE";
    const text = isMediaType ? "body must be sent as application/json." : "body is not valid JSON.";
    return sendFailure(reply, failureOf("invalid_request", text, { field: "body" }));
  }
  request.log.error({ err: error, route: request.routeOptions.url ?? null }, "unexpected error");
  return sendFailure(reply, internalFailure(request.id));
}
