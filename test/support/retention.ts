import { RETENTION_RULES } from "../../src/app/retention-rules.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import type { Database } from "../../src/platform/database/connection.ts";
import { enforceRetention, type RetentionPeriods } from "../../src/platform/retention/enforce.ts";

/**
 * Enforces the rules with these names, with the default periods unless given.
 * @returns the number of removed rows by rule
 */
export async function enforceRules(
  db: Database,
  names: readonly string[],
  periods: Partial<RetentionPeriods> = {},
): Promise<Map<string, number>> {
  const rules = RETENTION_RULES.filter(({ name }) => names.includes(name));
  if (rules.length < names.length) throw new Error(`Unknown rule among ${names.join(", ")}`);
  const removed = new Map(names.map((name) => [name, 0]));
  await enforceRetention(db, { ...loadConfig({}), ...periods }, rules, {
    onRemoved: (name, count) => removed.set(name, (removed.get(name) ?? 0) + count),
  });
  return removed;
}
