/** Error responses: status, headers, and a body with the details of the error code (spec section 7). */
import type { FastifyReply } from "fastify";
import { type ErrorBody, errorBody } from "../src/platform/http/error-response.ts";
import { addBearerChallenge } from "./bearer-challenge.ts";
import type { ErrorCode } from "./generated/graphql.ts";
import { STATUS } from "./status.ts";

export interface FailureResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ErrorBody<ErrorCode> & Readonly<Record<string, unknown>>;
}

/** Creates an error response with the status of its code. */
export function createFailure(
  code: ErrorCode,
  text: string,
  details: Readonly<Record<string, unknown>> = {},
): FailureResponse {
  return { status: STATUS[code], headers: {}, body: { ...errorBody(code, text), ...details } };
}

/** Thrown while a route parses its input, for errors that GraphQL types cannot express. */
export class RejectedInputError extends Error {
  override readonly name = "RejectedInputError";
  readonly response: FailureResponse;
  constructor(response: FailureResponse) {
    super("The input is invalid.");
    this.response = response;
  }
}

export function sendFailure(reply: FastifyReply, { status, headers, body }: FailureResponse): FastifyReply {
  if (status === 401) addBearerChallenge(reply);
  return reply.code(status).headers(headers).send(body);
}
