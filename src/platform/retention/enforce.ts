/** Enforcement of retention rules, and its metrics. */
import type { Config } from "../config/load.ts";
import type { Database } from "../database/connection.ts";
import type { Jobs } from "../jobs/queue.ts";
import type { Logger } from "../observability/logger.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { DaysSetting, Removed, RetentionRule } from "./rule.ts";

const DAY_SECONDS = 86_400;
const INTERVAL_MS = 300_000;
/** A run ends before the next one starts. */
const MAX_RUN_MS = 240_000;

/** The settings that rules refer to. */
export type RetentionPeriods = Pick<Config, DaysSetting>;

export interface RetentionDeps {
  readonly db: Database;
  readonly config: RetentionPeriods;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly jobs: Jobs;
}

/** Starts the job that enforces the rules, and registers its metrics. */
export async function startRetention(deps: RetentionDeps, rules: readonly RetentionRule[]): Promise<void> {
  const { db, config, logger, metrics, jobs } = deps;
  const removals = metrics.counter("satchel_retention_removed_total", "Rows removed or blanked by retention.", [
    "rule",
  ]);
  for (const { name } of rules) removals.inc({ rule: name }, 0);
  metrics.gauge(
    "satchel_retention_overdue_seconds",
    "Time for which the oldest row that retention must remove has been due; 0 if none is.",
    ["rule"],
    async () => {
      const overdue = await findOverdue(db, config, rules);
      return [...overdue].map(([rule, value]) => ({ labels: { rule }, value }));
    },
  );
  await jobs.repeat("enforce-retention", INTERVAL_MS, () =>
    enforceRetention(db, config, rules, {
      deadlineMs: performance.now() + MAX_RUN_MS,
      onRemoved: (rule, count) => removals.inc({ rule }, count),
      onFailed: (rule, err) => logger.error({ err, rule }, "Retention rule failed; next run scheduled"),
    }),
  );
}

interface Run {
  readonly deadlineMs?: number;
  readonly onRemoved?: (rule: string, count: number) => void;
  /** Called if a rule fails; the others continue. */
  readonly onFailed?: (rule: string, error: unknown) => void;
}

/**
 * Removes what is due, one batch of each rule after the other, until nothing is due. Concurrent runs skip each other's rows.
 * @throws the error of a rule, without `onFailed`
 */
export async function enforceRetention(
  db: Database,
  config: RetentionPeriods,
  rules: readonly RetentionRule[],
  { deadlineMs = Number.POSITIVE_INFINITY, onRemoved, onFailed }: Run = {},
): Promise<void> {
  let due = rules;
  while (due.length > 0 && performance.now() < deadlineMs) {
    const unfinished: RetentionRule[] = [];
    for (const rule of due) {
      try {
        const [result] = await db.query<Removed>(rule.remove, [periodSeconds(rule, config)]);
        if (result && result.removed > 0) onRemoved?.(rule.name, result.removed);
        if (result?.isMore) unfinished.push(rule);
      } catch (error) {
        if (!onFailed) throw error;
        onFailed(rule.name, error);
      }
    }
    due = unfinished;
  }
}

/** Returns for each rule how long its oldest due row has been due, in seconds. */
export async function findOverdue(
  db: Database,
  config: RetentionPeriods,
  rules: readonly RetentionRule[],
): Promise<Map<string, number>> {
  const overdue = new Map<string, number>();
  for (const rule of rules) {
    const seconds = periodSeconds(rule, config);
    const [oldest] = await db.query<{ at: Date | null }>(rule.oldest, [seconds]);
    const sinceDueMs = oldest?.at ? Date.now() - oldest.at.getTime() - seconds * 1_000 : 0;
    overdue.set(rule.name, Math.max(0, sinceDueMs / 1_000));
  }
  return overdue;
}

function periodSeconds({ period }: RetentionRule, config: RetentionPeriods): number {
  return "setting" in period ? config[period.setting] * DAY_SECONDS : period.seconds;
}
