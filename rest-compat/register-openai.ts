/** Registration of the OpenAI routes with fastify. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { convertDatabaseError } from "../src/platform/database/errors.ts";
import { InvalidRequestError, ServiceError, UnauthorizedError } from "../src/platform/errors.ts";
import { compileOperation } from "../src/platform/graphql/compile-operation.ts";
import { ANY_METHOD, addHead, createAllowHeader, methodNotAllowedMessage } from "./allowed-methods.ts";
import { handleChatRequest, handleModelsRequest } from "./dialects/openai.ts";
import {
  convertServiceError,
  createInternalFailure,
  createOpenAiFailure,
  sendOpenAiFailure,
} from "./dialects/openai-failure.ts";
import { dropTypeOfEmptyBody } from "./empty-body.ts";
import { ModelsDocument, type ModelsQuery, ProxyChatDocument, type ProxyChatMutation } from "./generated/graphql.ts";
import type { RestOptions } from "./options.ts";

/** A chat may contain images. */
const CHAT_BODY_LIMIT_BYTES = 10 * 1024 * 1024;
const CHAT = "/v1/chat/completions";

/** Registers `/v1/chat/completions` and `/v1/models`. Any other path under `/v1` responds with an OpenAI error. */
export function registerOpenAiRoutes(app: FastifyInstance, options: RestOptions): void {
  const proxyChat = compileOperation<ProxyChatMutation>(options.schema, ProxyChatDocument);
  const models = compileOperation<ModelsQuery>(options.schema, ModelsDocument);
  app.register(async (scope) => {
    scope.setErrorHandler(handleError);
    scope.addHook("onRequest", dropTypeOfEmptyBody);
    scope.removeContentTypeParser("text/plain");
    // Authenticates before the body is read: an unauthenticated client cannot make the service read 10 MiB.
    const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
      const context = await options.createContext({
        headers: request.headers,
        requestId: request.id,
        target: request,
        access: request,
        ip: request.ip,
        cookies: "none",
        accepts: "account",
        isTrusted: true,
        addHeader: (name, value) => void reply.header(name, value),
      });
      if (context.viewer === null) {
        return sendOpenAiFailure(reply, createOpenAiFailure("unauthorized", new UnauthorizedError().message));
      }
      request.operationContext = context;
    };
    scope.decorateRequest("operationContext", null);
    scope.post(CHAT, { bodyLimit: CHAT_BODY_LIMIT_BYTES, onRequest }, (request, reply) =>
      handleChatRequest(proxyChat, request, reply, request.operationContext ?? {}),
    );
    for (const url of ["/v1/models", "/v1/models/*"]) {
      scope.get(url, { onRequest }, (request, reply) =>
        handleModelsRequest(models, request, reply, request.operationContext ?? {}),
      );
    }
    scope.route({
      method: ANY_METHOD,
      url: "/v1/*",
      handler: (request, reply) => {
        const [path] = request.url.split("?", 1);
        const method = path === CHAT ? "POST" : /^\/v1\/models(?:\/|$)/.test(path ?? "") ? "GET" : null;
        if (method !== null) {
          reply.headers(createAllowHeader(addHead([method])));
          if (request.method === "OPTIONS") return reply.code(204).send();
          const text = methodNotAllowedMessage(path ?? "", [method]);
          return sendOpenAiFailure(reply, createOpenAiFailure("invalid_request", text, null, 405));
        }
        const failure = createOpenAiFailure("not_found", `No route for ${request.method} ${path}.`);
        return sendOpenAiFailure(reply, failure);
      },
    });
  });
}

function handleError(thrown: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = convertDatabaseError(thrown) as FastifyError | Error;
  if (error instanceof InvalidRequestError) {
    return sendOpenAiFailure(reply, createOpenAiFailure("invalid_request", error.message, error.field));
  }
  if (error instanceof ServiceError) return sendOpenAiFailure(reply, convertServiceError(error));
  const status = "statusCode" in error ? (error.statusCode ?? 500) : 500;
  if (status === 413)
    return sendOpenAiFailure(reply, createOpenAiFailure("payload_too_large", "The body is too large."));
  if (status >= 400 && status < 500) {
    const isMediaType = "code" in error && error.code === "FST_ERR_CTP_INVALID_MEDIA_TYPE";
    const text = isMediaType ? "The body must be sent as application/json." : "The body is not valid JSON.";
    return sendOpenAiFailure(reply, createOpenAiFailure("invalid_request", text));
  }
  request.log.error({ err: error, route: request.routeOptions.url ?? null }, "unexpected error");
  return sendOpenAiFailure(reply, createInternalFailure(request.id));
}
