/** What the host answers when no route did, and never a word of the cause. */
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { isUnstorableText, UNSTORABLE_TEXT } from "../database/errors.ts";
import { EncodedBodyError } from "./encoded-bodies.ts";

/** What went wrong, as JSON (spec section 7); only GraphQL and OpenAI's clients are told otherwise. */
export interface ErrorBody<Code extends string = string> {
  /** For programs: never changes its meaning. */
  readonly error: Code;
  /** For people; the same twice, for OAuth's clients read the one and the contract's the other. */
  readonly error_description: string;
  readonly message: string;
}

/** Said of what nobody expected, in place of its cause. */
export const UNEXPECTED_TEXT = "Something went wrong here. Quote the request id when you report it.";

export function errorBody<Code extends string>(error: Code, text: string): ErrorBody<Code> {
  return { error, error_description: text, message: text };
}

const TEXTS: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: "The body is not valid JSON.",
  FST_ERR_CTP_EMPTY_JSON_BODY: "The body is empty; JSON was announced.",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "This content type is not accepted here.",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "The body is not as long as its Content-Length says.",
  FST_ERR_CTP_BODY_TOO_LARGE: "The body is too large.",
  FST_ERR_BAD_URL: "The path is not valid.",
  FST_ERR_MAX_PARAM_LENGTH: "A part of the path is too long.",
};

/** The JSON of an `invalid_request`. */
export function badRequestText(text: string): string {
  return JSON.stringify(errorBody("invalid_request", text));
}

/** Answers a request that failed in the host or in a route that let its error through. */
export function sendErrorResponse(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  if (isUnstorableText(error)) {
    reply.code(400).send(errorBody("invalid_request", UNSTORABLE_TEXT));
    return;
  }
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500) {
    const text = error instanceof EncodedBodyError ? error.message : textOf(error);
    const code = status === 413 ? "payload_too_large" : status === 404 ? "not_found" : "invalid_request";
    reply.code(status).send(errorBody(code, text));
    return;
  }
  request.log.error({ err: error, route: request.routeOptions.url ?? null }, "unexpected error");
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
