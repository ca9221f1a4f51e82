import type { Context } from "./context.ts";

export const IDEMPOTENCY_KEY = {
  description:
    "A key that makes retries safe: the same key with the same input returns the first response. Default: the `Idempotency-Key` header.",
};

/** Returns the idempotency key in the operation's input, or else the key in the request header. */
export function idempotencyKeyOf(
  input: { readonly idempotencyKey?: string | null | undefined },
  context: Context,
): string | null {
  return input.idempotencyKey ?? context.idempotencyKey;
}
