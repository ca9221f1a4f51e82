/** Calls of the service's REST routes. */
import { CliError, EXIT, signInEnded } from "./errors.ts";
import { USER_AGENT } from "./version.ts";

/** The proxy waits for its target 30 s unless told otherwise, and may pay and ask again. */
const TIMEOUT_MS = 120_000;

export interface Call {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The answer, whatever its status. @throws {CliError} when there is none, or it is 401 */
export async function call(baseUrl: string, accessToken: string, request: Call): Promise<Response> {
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
    throw unreachable(error, baseUrl) ?? error;
  }
  return response;
}

/** The JSON of a successful answer. @throws {CliError} with the service's own words when it is a failure */
export async function callJson<Answer>(baseUrl: string, accessToken: string, request: Call): Promise<Answer> {
  const response = await call(baseUrl, accessToken, request);
  const text = await response.text();
  if (!response.ok) throw failureIn(response, text) ?? new CliError(`${baseUrl} answered ${response.status}.`);
  try {
    return JSON.parse(text) as Answer;
  } catch {
    throw new CliError(`${baseUrl} gave an answer that is not JSON.`);
  }
}

/** The service's own failure in an answer (spec section 7); null when the body is another's. */
export function failureIn({ status, url }: Response, text: string): CliError | null {
  try {
    const { error, message } = JSON.parse(text) as Record<string, unknown>;
    if (typeof error !== "string" || typeof message !== "string") return null;
    if (status === 401 && error === "unauthorized") return signInEnded(new URL(url).origin);
    return new CliError(message, EXIT.failed, error);
  } catch {
    return null;
  }
}

/** A failure to reach the service, in words; null when the error is another. */
export function unreachable(error: unknown, baseUrl: string): CliError | null {
  if (error instanceof CliError) return null;
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return new CliError(`${baseUrl} did not answer in time.`, EXIT.failed, "unreachable");
  }
  // What `fetch` throws when there is no connection.
  if (!(error instanceof TypeError) || !error.cause) return null;
  return new CliError(`Nothing answers at ${baseUrl}. Is the service running?`, EXIT.failed, "unreachable");
}
