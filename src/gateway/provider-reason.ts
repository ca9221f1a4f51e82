/** Providers' errors: their reason, status and time to wait, in the shapes of OpenAI-compatible servers. */

const MAX_CHARS = 1_000;

export interface ProviderError {
  readonly message?: unknown;
  readonly code?: unknown;
  readonly type?: unknown;
  readonly details?: unknown;
}

/** Returns an object in OpenAI's error format if the body is a provider's error; null otherwise. */
export function findProviderError(body: unknown): ProviderError | null {
  // Google wraps its errors in an array.
  const value = Array.isArray(body) ? body[0] : body;
  if (typeof value !== "object" || value === null) return null;
  const { error, message, object, choices, detail, x_groq: groq } = value as Record<string, unknown>;
  if (typeof error === "object" && error !== null) return error;
  if (typeof error === "string" && error !== "") return { ...value, message: error };
  const groqError = (groq as { readonly error?: unknown } | null | undefined)?.error;
  if (groqError) return findProviderError({ error: groqError });
  if (object === "error" || (message !== undefined && choices === undefined)) return { ...value, message };
  // FastAPI's, in front of many servers.
  if (detail !== undefined && choices === undefined) return { message: readDetail(detail) };
  const failed = Array.isArray(choices) ? choices.find((choice) => choice?.error) : undefined;
  if (failed) return findProviderError(failed);
  const hasFailed = Array.isArray(choices) && choices.some((choice) => choice?.finish_reason === "error");
  return hasFailed ? {} : null;
}

function readDetail(detail: unknown): unknown {
  const [first] = Array.isArray(detail) ? detail : [detail];
  return typeof first === "string" ? first : ((first as { msg?: unknown; message?: unknown } | null)?.msg ?? null);
}

/** Returns the reason for the caller; null if the error states none. @param secret the operator's key, which some providers repeat */
export function readReason(error: ProviderError | null, secret: string | null = null): string | null {
  if (typeof error?.message !== "string" || error.message.trim() === "") return null;
  const text = secret === null ? error.message : error.message.replaceAll(secret, "[key]");
  return text.trim().slice(0, MAX_CHARS);
}

/** Statuses of the names in errors within a response whose own status is 200. */
const STATUS_OF_NAME: Readonly<Record<string, number>> = {
  rate_limit_exceeded: 429,
  rate_limit_error: 429,
  content_filter: 400,
  context_length_exceeded: 400,
  BadRequestError: 400,
};

/** Returns the HTTP status that an error within a response stands for; null if it states none. */
export function readErrorStatus({ code, type }: ProviderError): number | null {
  for (const name of [code, type]) {
    const status = typeof name === "string" && !/^\d{3}$/.test(name) ? STATUS_OF_NAME[name] : Number(name);
    if (status !== undefined && Number.isInteger(status) && status >= 400 && status <= 599) return status;
  }
  return null;
}

/** Returns the delay that an error of Google's states in its details, in milliseconds; null if it states none. */
export function readRetryDelayMs({ details }: ProviderError): number | null {
  for (const detail of Array.isArray(details) ? details : []) {
    const [, seconds] = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(String(detail?.retryDelay)) ?? [];
    if (seconds !== undefined) return Math.ceil(Number(seconds) * 1_000);
  }
  return null;
}
