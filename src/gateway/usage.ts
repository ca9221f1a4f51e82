import { z } from "zod";
import type { TokenCounts } from "./price.ts";

const count = z.int().nonnegative();
const schema = z.looseObject({ prompt_tokens: count, completion_tokens: count.nullish() });

/** Maximum token count in the database, far above any real call. */
const MAX_TOKENS = 2_000_000_000;

/** Returns the usage reported by a provider; null if it is missing or invalid. The charge is limited to the reservation. */
export function readUsage(usage: unknown): TokenCounts | null {
  const { success, data } = schema.safeParse(usage);
  if (!success) return null;
  const clamp = (tokens: number) => Math.min(tokens, MAX_TOKENS);
  return { prompt: clamp(data.prompt_tokens), completion: clamp(data.completion_tokens ?? 0) };
}
