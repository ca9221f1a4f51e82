/** Usage and cost of an account's calls by day or month and model. */
import { requireAccount, type Viewer } from "../accounts/viewer.ts";
import type { Database, Statement } from "../platform/database/connection.ts";
import { checkHistoryLength, type HistoryLength } from "../wallet/history-length.ts";

/** The usage of one model in one UTC day or month. */
export interface UsageBucket {
  readonly startsAt: Date;
  readonly model: string;
  readonly callCount: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costMicroUsd: bigint;
}

const HISTORY: Statement = {
  name: "gateway-usage",
  text: `SELECT date_trunc($2, created_at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' AS "startsAt", model,
      count(*)::int AS "callCount", coalesce(sum(prompt_tokens), 0)::float8 AS "promptTokens",
      coalesce(sum(completion_tokens), 0)::float8 AS "completionTokens", coalesce(sum(cost_micro_usd), 0)::bigint AS "costMicroUsd"
    FROM gateway_calls
    WHERE account_id = $1::uuid AND status <> 'failed'
      AND created_at >= (date_trunc($2, now() AT TIME ZONE 'UTC') - ($3::int - 1) * ('1 ' || $2)::interval) AT TIME ZONE 'UTC'
    GROUP BY 1, 2 ORDER BY 1, 2`,
};

/**
 * Returns usage of the last `count` UTC days or months by model, oldest first, without empty periods and failed calls.
 *
 * @throws {InvalidRequestError} if `count` is out of range.
 */
export async function getUsageHistory(
  { db }: { readonly db: Database },
  viewer: Viewer | null,
  length: HistoryLength,
): Promise<UsageBucket[]> {
  const { accountId } = requireAccount(viewer);
  checkHistoryLength(length);
  return await db.query<UsageBucket>(HISTORY, [accountId, length.period, length.count]);
}
