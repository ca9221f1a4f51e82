/** The member `usage` of responses: the provider's own with the cost of the call, in OpenRouter's shape. */
import { formatUsd } from "../platform/money.ts";
import type { Usage } from "./usage.ts";

/**
 * Returns `usage` for the caller. Its `cost` is what Satchel charged, in US dollars.
 * @param reported the provider's `usage`, whose members are retained
 */
export function createUsageBody(reported: unknown, { prompt, completion }: Usage, costMicroUsd: bigint): object {
  const counts = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  const isObject = typeof reported === "object" && reported !== null && !Array.isArray(reported);
  const stated = Object.entries(isObject ? reported : {}).filter(
    ([name, value]) => value !== null || !(name in counts),
  );
  return {
    ...counts,
    ...Object.fromEntries(stated),
    cost: Number(formatUsd(costMicroUsd)),
  };
}
