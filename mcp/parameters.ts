/** Arguments and outputs that several tools share. Descriptions are short: each costs tokens in every list. */
import { z } from "zod";

export const NETWORK = z
  .enum(["base", "base-sepolia", "solana", "solana-devnet", "avalanche"])
  .meta({ description: "Default: that of the service." });

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 50;

/** Arguments of a list. */
export const PAGE = {
  limit: z
    .int()
    .min(1)
    .max(MAX_LIMIT)
    .optional()
    .meta({ description: `Default ${DEFAULT_LIMIT}.` }),
  cursor: z.string().max(500).optional().meta({ description: "next_cursor of the previous page." }),
};

export const PAGE_OUTPUT = { next_cursor: z.string().nullable() };

/** Returns the variables of a connection. */
export function readPage({
  limit,
  cursor,
}: {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}) {
  return { first: limit ?? DEFAULT_LIMIT, after: cursor ?? null };
}

/** A decimal amount of US dollars as text: a JSON number would round it. */
export const USD = z.string().regex(/^\d{1,9}(?:\.\d{1,6})?$/, 'must be a decimal string such as "0.50"');

export const URL_ARGUMENT = z
  .string()
  .max(8_192)
  .refine((text) => URL.canParse(text), "must be an absolute URL");

/** The key of a purchase without a handle, chosen by the client. */
export const PURCHASE_KEY = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, "must have 1 to 255 printable ASCII characters without spaces")
  .meta({ description: "Reuse the key when you retry this purchase." });

/** Next steps of a call that continues to read a paid result without the key of its purchase, and so must not pay. */
export const UNKEYED_PAGE = {
  max_value_exceeded:
    "Raising max_usd cannot help: a cursor without the key of the purchase pays nothing. Pass the payment_id or idempotency_key of the first call.",
} as const;
