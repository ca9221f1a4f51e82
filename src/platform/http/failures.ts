/** What the host answers when no route did: `{ error, error_description, message }`, and never a word of the cause. */
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { isUnstorableText, UNSTORABLE_TEXT } from "../database-errors.ts";
import type { ErrorCode } from "../errors.ts";

const TEXTS: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: "The body is not valid JSON.",
  FST_ERR_CTP_EMPTY_JSON_BODY: "The body is empty; JSON was announced.",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "This content type is not accepted here.",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "The body is not as long as its Content-Length says.",
  FST_ERR_CTP_BODY_TOO_LARGE: "The body is too large.",
  FST_ERR_BAD_URL: "The path is not valid.",
  FST_ERR_MAX_PARAM_LENGTH: "A part of the path is too long.",
};

export interface FailureBody {
  readonly error: ErrorCode;
  readonly error_description: string;
  readonly message: string;
}

function failure(error: ErrorCode, text: string): FailureBody {
  return { error, error_description: text, message: text };
}

/** The JSON of an `invalid_request`. */
export function badRequestText(text: string): string {
  return JSON.stringify(failure("invalid_request", text));
}

/** Answers a request that failed in the host or in a route that let its error through. */
export function answerFailure(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  if (isUnstorableText(error)) {
    reply.code(400).send(failure("invalid_request", UNSTORABLE_TEXT));
    return;
  }
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500) {
    const text =
      TEXTS[error.code] ?? (error instanceof SyntaxError ? "The body is not valid JSON." : "The request is not valid.");
    const code = status === 413 ? "payload_too_large" : status === 404 ? "not_found" : "invalid_request";
    reply.code(status).send(failure(code, text));
    return;
  }
  request.log.error({ err: error, route: request.routeOptions.url ?? null }, "unexpected error");
  const body = failure("internal_error", "Something went wrong here. Quote the request id when you report it.");
  reply.code(500).send({ ...body, request_id: request.id });
}

export function answerUnknownRoute(_request: FastifyRequest, reply: FastifyReply): void {
  reply.code(404).send(failure("not_found", "There is no such route."));
}
