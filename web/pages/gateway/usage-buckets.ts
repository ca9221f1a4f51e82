import { sumUsd } from "../../components/decimal.ts";
import type { GatewayUsageQuery, SpendingPeriod } from "../../generated/graphql.ts";

export type UsageRow = NonNullable<NonNullable<GatewayUsageQuery["viewer"]>["gatewayUsage"]>[number];

/** Usage in one UTC day or month. `rows` are in the order of `models`. */
export interface UsageBucket {
  readonly startsAt: string;
  readonly rows: readonly UsageRow[];
  readonly costUsd: string;
}

/** Total usage of one model. */
export interface ModelTotal {
  readonly model: string;
  readonly callCount: number;
  readonly costUsd: string;
}

/** Returns the totals by model, most expensive first. */
export function totalsByModel(usage: readonly UsageRow[]): ModelTotal[] {
  const byModel = Object.groupBy(usage, ({ model }) => model);
  return Object.entries(byModel)
    .map(([model, rows = []]) => ({
      model,
      callCount: rows.reduce((sum, { callCount }) => sum + callCount, 0),
      costUsd: sumUsd(rows.map(({ costUsd }) => costUsd)),
    }))
    .toSorted((a, b) => Number(b.costUsd) - Number(a.costUsd) || (a.model < b.model ? -1 : 1));
}

/** Returns a bucket for every day or month up to now, oldest first. The API returns only periods with usage, so empty buckets are added. */
export function usageBuckets(
  usage: readonly UsageRow[],
  models: readonly string[],
  period: SpendingPeriod,
  count: number,
  nowMs: number,
): UsageBucket[] {
  const now = new Date(nowMs);
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const expected = Array.from({ length: count }, (_, back) =>
    period === "DAY" ? Date.UTC(year, month, day - back) : Date.UTC(year, month - back),
  );
  // The browser clock may be wrong: periods with usage are included in any case.
  const starts = new Set([...expected, ...usage.map(({ startsAt }) => Date.parse(startsAt))]);
  return [...starts]
    .toSorted((a, b) => a - b)
    .map((startsAtMs) => {
      const rows = usage
        .filter(({ startsAt }) => Date.parse(startsAt) === startsAtMs)
        .toSorted((a, b) => models.indexOf(a.model) - models.indexOf(b.model));
      return {
        startsAt: new Date(startsAtMs).toISOString(),
        rows,
        costUsd: sumUsd(rows.map(({ costUsd }) => costUsd)),
      };
    });
}
