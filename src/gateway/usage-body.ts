/** The member `usage` of responses: the provider's own with the cost of the call, in OpenRouter's shape. */
import { formatUsd } from "../platform/money.ts";
import type { Usage } from "./usage.ts";

/**
 * Returns `usage` for the caller. Its `cost` is what Satchel charged, in US dollars.
 * @param reported the provider's `usage`, whose members are retained
 */
export function createUsageBody(reported: unknown, { prompt, completion }: Usage, costMicroUsd: bigint): object {
  const counts = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  return {
    ...counts,
    ...(typeof reported === "object" && !Array.isArray(reported) ? reported : {}),
    cost: Number(formatUsd(costMicroUsd)),
  };
}
