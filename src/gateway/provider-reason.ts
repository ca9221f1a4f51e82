/** Reasons in providers' errors, in the shapes of OpenAI-compatible servers. */

const MAX_CHARS = 1_000;

/** Returns an object in OpenAI's error format if the body is a provider's error; null otherwise. */
export function findProviderError(body: unknown): { readonly message?: unknown } | null {
  // Google wraps its errors in an array.
  const value = Array.isArray(body) ? body[0] : body;
  if (typeof value !== "object" || value === null) return null;
  const { error, message, object, choices } = value as Record<string, unknown>;
  if (typeof error === "object" && error !== null) return error;
  if (typeof error === "string") return { message: error };
  if (object === "error" || (message !== undefined && choices === undefined)) return { message };
  const failed = Array.isArray(choices) ? choices.find((choice) => choice?.error) : undefined;
  return failed ? findProviderError(failed) : null;
}

/** Returns the reason for the caller; null if the error states none. @param secret the operator's key, which some providers repeat */
export function readReason(error: { readonly message?: unknown } | null, secret: string | null = null): string | null {
  if (typeof error?.message !== "string" || error.message.trim() === "") return null;
  const text = secret === null ? error.message : error.message.replaceAll(secret, "[key]");
  return text.trim().slice(0, MAX_CHARS);
}
