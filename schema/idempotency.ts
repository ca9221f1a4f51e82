import type { Context } from "./context.ts";

export const IDEMPOTENCY_KEY = {
  description:
    "Makes a repetition safe: the same key with the same input gives the first answer again. Default: the `Idempotency-Key` header.",
};

/** The key of an operation: in its input, else the request's header. */
export function idempotencyKeyOf(
  input: { readonly idempotencyKey?: string | null | undefined },
  context: Context,
): string | null {
  return input.idempotencyKey ?? context.idempotencyKey;
}
