import { z } from "zod";
import type { TokenCounts } from "./price.ts";

const count = z.int().nonnegative();
const schema = z.looseObject({ prompt_tokens: count, completion_tokens: count.nullish() });

/** What a record can hold: no honest call is near it. */
const MAX_TOKENS = 2_000_000_000;

/** What a provider says was used; null when it does not, or says nonsense. It is charged up to what was reserved. */
export function readUsage(usage: unknown): TokenCounts | null {
  const { success, data } = schema.safeParse(usage);
  if (!success) return null;
  const clamp = (tokens: number) => Math.min(tokens, MAX_TOKENS);
  return { prompt: clamp(data.prompt_tokens), completion: clamp(data.completion_tokens ?? 0) };
}
