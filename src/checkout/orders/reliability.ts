/** Reliability of checkouts per merchant and recipe (decisions, "Checkout bodies"). Excludes test merchants. */
import type { Database, Statement } from "../../platform/database/connection.ts";
import { type FailureCause, TRANSITIONS } from "./states.ts";

export const RELIABILITY_WINDOW_DAYS = 30;

export interface RecipeReliability {
  readonly merchantId: string;
  readonly rail: "shopify" | "worker";
  /** Null: driven without a merchant-specific recipe. */
  readonly recipeId: string | null;
  readonly recipeVersion: number | null;
  readonly runs: number;
  readonly successes: number;
  /** From 0 to 1, among runs that succeeded, failed because of the recipe, or have an unknown outcome; null if there are none. */
  readonly passRate: number | null;
  readonly lastRunAt: Date;
  readonly lastSuccessAt: Date | null;
  /** Median duration of successful runs. */
  readonly p50Seconds: number | null;
  /** Number of failed runs by error code. */
  readonly failures: Readonly<Partial<Record<FailureCause, number>>>;
}

const RELIABILITY: Statement = {
  name: "checkout-reliability",
  text: `WITH runs AS (
      SELECT merchant_id, recipe_id, recipe_version, status = 'succeeded' AS passed, coalesce(error_code, status) AS code,
        started_at, completed_at
      FROM checkout_orders
      WHERE kind = 'purchase' AND NOT is_test AND merchant_id IS NOT NULL AND started_at IS NOT NULL
        AND completed_at > now() - interval '${RELIABILITY_WINDOW_DAYS} days'
    ), counted AS (
      SELECT merchant_id, recipe_id, recipe_version, code, passed, count(*)::int AS n FROM runs GROUP BY 1, 2, 3, 4, 5
    ), failed AS (
      SELECT merchant_id, recipe_id, recipe_version, json_object_agg(code, n) AS failures FROM counted
      WHERE NOT passed GROUP BY 1, 2, 3
    ), summed AS (
      SELECT merchant_id, recipe_id, recipe_version, count(*)::int AS runs, (count(*) FILTER (WHERE passed))::int AS successes,
        (count(*) FILTER (WHERE passed OR code = ANY($1::text[])))::int AS telling,
        max(completed_at) AS last_run_at, max(completed_at) FILTER (WHERE passed) AS last_success_at,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM completed_at - started_at)::float8)
          FILTER (WHERE passed) AS p50
      FROM runs GROUP BY 1, 2, 3
    )
    SELECT m.id AS "merchantId", m.rail, s.recipe_id AS "recipeId", s.recipe_version AS "recipeVersion", s.runs,
      s.successes, CASE WHEN s.telling > 0 THEN s.successes::float8 / s.telling END AS "passRate",
      s.last_run_at AS "lastRunAt", s.last_success_at AS "lastSuccessAt", s.p50 AS "p50Seconds",
      coalesce(f.failures, '{}') AS failures
    FROM summed s JOIN merchants m ON m.id = s.merchant_id AND (m.pooled_domain IS NOT NULL OR m.account_id = $2)
    LEFT JOIN failed f ON f.merchant_id = s.merchant_id AND f.recipe_id IS NOT DISTINCT FROM s.recipe_id
      AND f.recipe_version IS NOT DISTINCT FROM s.recipe_version
    ORDER BY m.name, m.id, s.recipe_version DESC NULLS LAST`,
};

const RECIPE_FAULTS = Object.entries(TRANSITIONS).flatMap(([cause, { isRecipeRelated: isRecipes, to }]) =>
  isRecipes && to !== "succeeded" ? [cause] : [],
);

/** Returns the reliability of the last 30 days of merchants that the account may see, ordered by name. */
export async function readReliability(db: Database, accountId: string): Promise<RecipeReliability[]> {
  return await db.query<RecipeReliability>(RELIABILITY, [RECIPE_FAULTS, accountId]);
}
