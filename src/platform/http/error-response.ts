/** Error responses of the HTTP server for requests that no route handled. They never contain the cause. */
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { convertDatabaseError, isUnstorableText, UNSTORABLE_TEXT } from "../database/errors.ts";
import { ServiceUnavailableError } from "../errors.ts";
import { EncodedBodyError } from "./encoded-bodies.ts";

/** The JSON body of an error response (spec section 7). GraphQL and the OpenAI-compatible API have other formats. */
export interface ErrorBody<Code extends string = string> {
  /** Stable error code. */
  readonly error: Code;
  /** The same text as `message`: OAuth clients read this field, other clients read `message`. */
  readonly error_description: string;
  readonly message: string;
}

/** Message of an unexpected error; the cause is only logged. */
export const UNEXPECTED_TEXT = "The service failed unexpectedly. Report the request id.";

export function errorBody<Code extends string>(error: Code, text: string): ErrorBody<Code> {
  return { error, error_description: text, message: text };
}

const TEXTS: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: "The body is not valid JSON.",
  FST_ERR_CTP_EMPTY_JSON_BODY: "The body is empty, but the content type is JSON.",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "This route does not accept the content type.",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "The length of the body differs from its Content-Length.",
  FST_ERR_CTP_BODY_TOO_LARGE: "The body is too large.",
  FST_ERR_BAD_URL: "The path is not valid.",
  FST_ERR_MAX_PARAM_LENGTH: "A path segment is too long.",
};

/** Returns the JSON text of an `invalid_request` error. */
export function badRequestText(text: string): string {
  return JSON.stringify(errorBody("invalid_request", text));
}

/** Responds to a request that failed in the server, or in a route that did not handle its error. */
export function sendErrorResponse(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  if (isUnstorableText(error)) {
    reply.code(400).send(errorBody("invalid_request", UNSTORABLE_TEXT));
    return;
  }
  const cause = convertDatabaseError(error);
  if (cause instanceof ServiceUnavailableError) {
    reply
      .code(503)
      .header("retry-after", Math.ceil(cause.retryAfterMs / 1_000))
      .send(errorBody(cause.code, cause.message));
    return;
  }
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500) {
    const text = error instanceof EncodedBodyError ? error.message : textOf(error);
    const code = status === 413 ? "payload_too_large" : status === 404 ? "not_found" : "invalid_request";
    reply.code(status).send(errorBody(code, text));
    return;
  }
  request.log.error({ err: error, route: request.routeOptions.url ?? null }, "Unexpected error");
  reply.code(500).send({ ...errorBody("internal_error", UNEXPECTED_TEXT), request_id: request.id });
}

function textOf(error: FastifyError): string {
  return (
    TEXTS[error.code] ?? (error instanceof SyntaxError ? "The body is not valid JSON." : "The request is not valid.")
  );
}

export function sendNotFoundResponse(_request: FastifyRequest, reply: FastifyReply): void {
  reply.code(404).send(errorBody("not_found", "There is no such route."));
}
