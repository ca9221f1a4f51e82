/** Client of the service's REST API. */
import { CliError, createSignInEndedError, EXIT } from "./errors.ts";
import { USER_AGENT } from "./version.ts";

/** Exceeds the timeouts of a paid fetch: 30 s per request to the target by default, and up to two requests. */
const TIMEOUT_MS = 120_000;

export interface RouteCall {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls a route and returns the response with any status. @throws {CliError} if the service is unreachable. */
export async function callRoute(baseUrl: string, accessToken: string, request: RouteCall): Promise<Response> {
  const { method, path, query = {}, body, headers = {} } = request;
  const url = new URL(baseUrl + path);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        authorization: `Bearer ${accessToken}`,
        "user-agent": USER_AGENT,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch (error) {
    throw toConnectionError(error, baseUrl) ?? error;
  }
  return response;
}

/** Calls a route and returns the JSON of a successful response. @throws {CliError} with the service's message otherwise. */
export async function callJson<Body>(baseUrl: string, accessToken: string, request: RouteCall): Promise<Body> {
  const response = await callRoute(baseUrl, accessToken, request);
  const text = await response.text();
  if (!response.ok)
    throw (
      parseFailure(response, text) ??
      new CliError(`${request.method} ${request.path} failed: ${baseUrl} responded with ${response.status}.`)
    );
  try {
    return JSON.parse(text) as Body;
  } catch {
    throw new CliError(`${baseUrl} sent a response that is not JSON. Check that the URL is that of a Satchel service.`);
  }
}

/** Parses an error of the service (spec section 7). Returns null if the body is not one, such as a target's response. */
export function parseFailure({ status, url }: Response, text: string): CliError | null {
  try {
    const { error, message } = JSON.parse(text) as Record<string, unknown>;
    if (typeof error !== "string" || typeof message !== "string") return null;
    if (status === 401 && error === "unauthorized") return createSignInEndedError(new URL(url).origin);
    return new CliError(message, EXIT.failed, error);
  } catch {
    return null;
  }
}

/** Converts a connection failure to a CliError. Returns null for other errors. */
export function toConnectionError(error: unknown, baseUrl: string): CliError | null {
  if (error instanceof CliError) return null;
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return new CliError(
      `${baseUrl} did not respond within ${TIMEOUT_MS / 1_000} s. The request may have been processed. Check its result before you retry.`,
      EXIT.failed,
      "unreachable",
    );
  }
  // `fetch` throws a TypeError with a cause if it cannot connect.
  if (!(error instanceof TypeError) || !error.cause) return null;
  return new CliError(`Cannot connect to ${baseUrl}. Check that the service is running.`, EXIT.failed, "unreachable");
}
