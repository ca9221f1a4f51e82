/** A failure as it is sent: its status, its headers and its body, with what more there is to say (spec section 7). */
import type { FastifyReply } from "fastify";
import { type ErrorBody, errorBody } from "../src/platform/http/error-response.ts";
import { bearerChallenge } from "./bearer-challenge.ts";
import type { ErrorCode } from "./generated/graphql.ts";
import { STATUS } from "./status.ts";

export interface FailureAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ErrorBody<ErrorCode> & Readonly<Record<string, unknown>>;
}

/** A plain failure. */
export function failureOf(
  code: ErrorCode,
  text: string,
  details: Readonly<Record<string, unknown>> = {},
): FailureAnswer {
  return { status: STATUS[code], headers: {}, body: { ...errorBody(code, text), ...details } };
}

/** Thrown where a route reads its input, for what GraphQL's types cannot say. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly answer: FailureAnswer;
  constructor(answer: FailureAnswer) {
    super("The input is refused.");
    this.answer = answer;
  }
}

export function sendFailure(reply: FastifyReply, { status, headers, body }: FailureAnswer): FastifyReply {
  if (status === 401) reply.headers(bearerChallenge(reply.request));
  return reply.code(status).headers(headers).send(body);
}
