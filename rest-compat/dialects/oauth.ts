/** The OAuth dialect (RFC 6749): parameters in query, form or JSON; redirects, pages and OAuth error responses. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ExecutionResult } from "graphql";
import { convertDatabaseError } from "../../src/platform/database/errors.ts";
import { InvalidRequestError, ServiceError, ServiceUnavailableError } from "../../src/platform/errors.ts";
import { errorBody } from "../../src/platform/http/error-response.ts";
import { addBearerChallenge } from "../bearer-challenge.ts";
import type { OAuthFailure, OAuthResponse, OAuthRoute } from "../oauth-route.ts";
import { type Page, renderErrorPage, renderOpenerPage } from "./oauth-pages.ts";
import { type Parameters, readBasic, readBodyParameters, readForm } from "./oauth-parameters.ts";

/** A route with its compiled operation. */
export interface OAuthRunner {
  readonly route: OAuthRoute;
  run(variables: unknown, context: object): ExecutionResult | Promise<ExecutionResult>;
}

const NO_STORE = { "cache-control": "no-store", pragma: "no-cache" };
/** Public metadata changes only with a release. Pages of every origin may read it: clients discover the server before they register. */
const PUBLIC = { "cache-control": "public, max-age=300", "access-control-allow-origin": "*" };
/** Discovery may send headers of its protocol, such as a version. */
export const PUBLIC_PREFLIGHT = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, HEAD",
  "access-control-allow-headers": "*",
  "access-control-max-age": "600",
};

/** Runs the route's operation and sends its result as an OAuth response. */
export async function handleOAuthRequest(
  { route, run }: OAuthRunner,
  request: FastifyRequest,
  reply: FastifyReply,
  context: object,
): Promise<FastifyReply> {
  reply.headers(route.caller === "public" ? PUBLIC : NO_STORE);
  const read = readRequest(route, request);
  if ("code" in read) return sendOAuthFailure(route, request, reply, read);
  const result = await run(route.variables(read), context);
  if (result.errors || !result.data) return sendExecutionFailure(route, request, reply, result);
  const response = route.toResponse(result.data);
  return "kind" in response ? sendOAuthResponse(reply, response) : sendOAuthFailure(route, request, reply, response);
}

/**
 * Returns the route's parameters, or a failure if they cannot be parsed. Unknown parameters are ignored (RFC 6749
 * section 3.1).
 */
function readRequest(route: OAuthRoute, request: FastifyRequest) {
  const names = Object.keys(route.parameters.shape);
  if (route.body === "json") return { values: {}, repeated: [], dpop: null, text: readBody(request) };
  let parameters: Parameters;
  try {
    parameters = readParameters(request, names);
  } catch (error) {
    if (error instanceof InvalidRequestError) return invalidRequest(error.message);
    throw error;
  }
  const known = parameters.filter(([name]) => names.includes(name));
  const lists = route.lists ?? [];
  const single = known.map(([name]) => name).filter((name) => !lists.includes(name));
  const repeated = [...new Set(single.filter((name, index) => single.indexOf(name) !== index))];
  const values = Object.fromEntries(names.map((name) => [name, null as string | null]));
  for (const [name, value] of known) {
    const earlier = lists.includes(name) ? values[name] : null;
    values[name] = earlier ? `${earlier} ${value}` : value || null;
  }
  const header = request.headers["dpop"];
  const dpop = typeof header === "string" && header !== "" ? header : null;
  if (route.caller === "browser") return { values, repeated, dpop, text: "" };
  // Errors of a browser request go to its redirect URI if that is valid; other callers get the error in the response.
  if (repeated.length > 0) return invalidRequest(`${repeated[0]} must not be repeated.`);
  const read = route.caller === "client" ? withBasic(values, request) : { values, repeated };
  return "code" in read ? read : { ...read, dpop, text: "" };
}

function readParameters(request: FastifyRequest, names: readonly string[]): Parameters {
  if (request.method !== "POST") return readForm(/\?(.*)$/s.exec(request.raw.url ?? "")?.[1] ?? "");
  return readBodyParameters(request.headers["content-type"], readBody(request), names);
}

function readBody(request: FastifyRequest): string {
  return (request.body as string | null | undefined) ?? "";
}

/** Adds the credentials of a Basic header. A client uses one authentication method a request (RFC 6749 section 2.3). */
function withBasic(values: Record<string, string | null>, request: FastifyRequest) {
  const basic = readBasic(request.headers.authorization);
  if (basic === null) return { values, repeated: [] };
  if (basic === undefined) {
    return { code: "oauth_error", error: "invalid_client", message: "The Authorization header cannot be decoded." };
  }
  if (values["client_secret"] !== null || (values["client_id"] ?? basic.clientId) !== basic.clientId) {
    return invalidRequest("Client credentials may be sent in the header or in the body, not in both.");
  }
  return {
    values: { ...values, client_id: basic.clientId, client_secret: basic.clientSecret || null },
    repeated: [],
  };
}

function invalidRequest(message: string): OAuthFailure {
  return { code: "oauth_error", error: "invalid_request", message };
}

function sendOAuthResponse(reply: FastifyReply, response: OAuthResponse): FastifyReply {
  if (response.kind === "json") return reply.code(response.status ?? 200).send(response.body);
  // A custom URI scheme has no web origin that could receive a posted message.
  if (response.isForOpener && /^https?:/.test(response.url))
    return sendPage(reply, 200, renderOpenerPage(response.url));
  return reply.code(303).header("location", response.url).send();
}

/** Sends an error: a page to a browser, JSON to any other caller. */
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
  if (caller === "browser") return sendPage(reply, status === 401 ? 400 : status, renderErrorPage(failure.message));
  // RFC 6749 section 5.2: a client that used the Authorization header gets the matching challenge.
  if (error === "invalid_client" && request.headers.authorization !== undefined) {
    reply.header("www-authenticate", 'Basic realm="satchel"');
  }
  if (caller === "bearer" && status === 401) addBearerChallenge(reply);
  return reply.code(status).send(errorBody(error, failure.message));
}

/** Returns the HTTP status of an OAuth `error` code. */
export function statusOf(error: string): number {
  const statuses: Record<string, number> = {
    invalid_client: 401,
    invalid_token: 401,
    not_found: 404,
    rate_limited: 429,
    server_error: 500,
    temporarily_unavailable: 503,
  };
  return statuses[error] ?? 400;
}

/** RFC 6749, section 4.1.2.1. */
export function describeUnavailable({ message, retryAfterMs }: ServiceUnavailableError): OAuthFailure {
  return { code: "oauth_error", error: "temporarily_unavailable", message, retryAfterMs };
}

function sendExecutionFailure(
  route: OAuthRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  { errors = [] }: ExecutionResult,
): FastifyReply {
  const cause = convertDatabaseError(errors[0]?.originalError ?? errors[0]);
  if (cause instanceof ServiceError && cause.code === "unauthorized") {
    const failure = { code: "oauth_error", error: "invalid_token", message: cause.message };
    return sendOAuthFailure(route, request, reply, failure);
  }
  if (cause instanceof ServiceError && cause.code === "account_frozen")
    return sendOAuthFailure(route, request, reply, { code: cause.code, message: cause.message }, 403);
  if (cause instanceof ServiceUnavailableError)
    return sendOAuthFailure(route, request, reply, describeUnavailable(cause));
  request.log.error({ err: cause, path: route.path }, "unexpected error");
  const message = `The service failed unexpectedly. Quote the request ID when you report it: ${request.id}`;
  return sendOAuthFailure(route, request, reply, { code: "oauth_error", error: "server_error", message });
}

function sendPage(reply: FastifyReply, status: number, { headers, text }: Page): FastifyReply {
  return reply.code(status).headers(headers).send(text);
}
