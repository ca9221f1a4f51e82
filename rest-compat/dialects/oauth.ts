/** OAuth's own way of asking and answering (RFC 6749): parameters in query, form or JSON; redirects, pages and its errors. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ExecutionResult } from "graphql";
import { InvalidRequestError, ServiceError } from "../../src/platform/errors.ts";
import { errorBody } from "../../src/platform/http/error-response.ts";
import { bearerChallenge } from "../bearer-challenge.ts";
import type { OAuthAnswer, OAuthFailure, OAuthRoute } from "../oauth-route.ts";
import { openerPage, type Page, refusalPage } from "./oauth-pages.ts";
import { type Parameters, readBasic, readBodyParameters, readForm } from "./oauth-parameters.ts";

/** A row with its operation compiled. */
export interface OAuthRunner {
  readonly route: OAuthRoute;
  run(variables: unknown, context: object): ExecutionResult | Promise<ExecutionResult>;
}

const NO_STORE = { "cache-control": "no-store", pragma: "no-cache" };
/** What anybody may look up changes with a release at most. */
const LOOKED_UP = { "cache-control": "public, max-age=300" };

/** Runs the row's operation and writes its result in the protocol's terms. */
export async function answerOAuth(
  { route, run }: OAuthRunner,
  request: FastifyRequest,
  reply: FastifyReply,
  context: object,
): Promise<FastifyReply> {
  reply.headers(route.caller === "anybody" ? LOOKED_UP : NO_STORE);
  const read = readRequest(route, request);
  if ("code" in read) return sendOAuthFailure(route, request, reply, read);
  const result = await run(route.variables(read), context);
  if (result.errors || !result.data) return sendExecutionFailure(route, request, reply, result);
  const answer = route.answer(result.data);
  return "kind" in answer ? sendAnswer(reply, answer) : sendOAuthFailure(route, request, reply, answer);
}

/** The row's parameters, or why they cannot be read. Others are ignored, as the protocol wants. */
function readRequest(route: OAuthRoute, request: FastifyRequest) {
  const names = Object.keys(route.parameters.shape);
  let parameters: Parameters;
  try {
    parameters = readParameters(request, names);
  } catch (error) {
    if (error instanceof InvalidRequestError) return invalidRequest(error.message);
    throw error;
  }
  const known = parameters.filter(([name]) => names.includes(name));
  const repeated = [...new Set(known.map(([name]) => name).filter((name, index, all) => all.indexOf(name) !== index))];
  const given = Object.fromEntries(names.map((name) => [name, null as string | null]));
  for (const [name, value] of known) given[name] = value || null;
  if (route.caller === "browser") return { given, repeated };
  // A browser's request is refused at its redirect URI, where that is good; these have nowhere else to be told.
  if (repeated.length > 0) return invalidRequest(`${repeated[0]} may be given once.`);
  return route.caller === "client" ? withBasic(given, request) : { given, repeated };
}

function readParameters(request: FastifyRequest, names: readonly string[]): Parameters {
  if (request.method !== "POST") return readForm(/\?(.*)$/s.exec(request.raw.url ?? "")?.[1] ?? "");
  return readBodyParameters(request.headers["content-type"], (request.body as string | null | undefined) ?? "", names);
}

/** A client proves itself in one way at a time (RFC 6749 section 2.3). */
function withBasic(given: Record<string, string | null>, request: FastifyRequest) {
  const basic = readBasic(request.headers.authorization);
  if (basic === null) return { given, repeated: [] };
  if (basic === undefined) {
    return { code: "oauth_error", error: "invalid_client", message: "The Authorization header is not readable." };
  }
  if (given["client_secret"] !== null || (given["client_id"] ?? basic.clientId) !== basic.clientId) {
    return invalidRequest("Client credentials may be sent in the header or in the body, not in both.");
  }
  return { given: { ...given, client_id: basic.clientId, client_secret: basic.clientSecret || null }, repeated: [] };
}

function invalidRequest(message: string): OAuthFailure {
  return { code: "oauth_error", error: "invalid_request", message };
}

function sendAnswer(reply: FastifyReply, answer: OAuthAnswer): FastifyReply {
  if (answer.kind === "json") return reply.send(answer.body);
  if (answer.kind === "empty") return reply.code(200).send();
  // An app's own scheme has no window to answer to.
  if (answer.isForOpener && /^https?:/.test(answer.url)) return sendPage(reply, 200, openerPage(answer.url));
  return reply.code(303).header("location", answer.url).send();
}

/** A refusal: a page for a person, JSON for a program. */
export function sendOAuthFailure(
  { caller }: Pick<OAuthRoute, "caller">,
  request: FastifyRequest,
  reply: FastifyReply,
  failure: OAuthFailure,
  otherStatus?: number,
): FastifyReply {
  const error = failure.code === "oauth_error" ? (failure.error ?? "invalid_request") : failure.code;
  const status = otherStatus ?? statusOf(error);
  reply.headers(NO_STORE);
  if (failure.retryAfterMs !== undefined) reply.header("retry-after", Math.ceil(failure.retryAfterMs / 1_000));
  if (caller === "browser") return sendPage(reply, status === 401 ? 400 : status, refusalPage(failure.message));
  // RFC 6749 section 5.2: whoever tried with the header is told the scheme.
  if (error === "invalid_client" && request.headers.authorization !== undefined) {
    reply.header("www-authenticate", 'Basic realm="satchel"');
  }
  if (caller === "bearer") reply.headers(bearerChallenge(request));
  return reply.code(status).send(errorBody(error, failure.message));
}

/** The HTTP status of an `error` of the protocol. */
export function statusOf(error: string): number {
  const statuses: Record<string, number> = {
    invalid_client: 401,
    invalid_token: 401,
    rate_limited: 429,
    server_error: 500,
  };
  return statuses[error] ?? 400;
}

function sendExecutionFailure(
  route: OAuthRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  { errors = [] }: ExecutionResult,
): FastifyReply {
  const cause = errors[0]?.originalError ?? errors[0];
  if (cause instanceof ServiceError && cause.code === "unauthorized") {
    const failure = { code: "oauth_error", error: "invalid_token", message: cause.message };
    return sendOAuthFailure(route, request, reply, failure);
  }
  request.log.error({ err: cause, path: route.path }, "unexpected error");
  const message = `Something went wrong here. Quote the request id when you report it: ${request.id}`;
  return sendOAuthFailure(route, request, reply, { code: "oauth_error", error: "server_error", message });
}

function sendPage(reply: FastifyReply, status: number, { headers, text }: Page): FastifyReply {
  return reply.code(status).headers(headers).send(text);
}
