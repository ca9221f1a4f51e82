/** Plans of prepared statements (`EXPLAIN`). */
import pg from "pg";
import type { Database } from "../../src/platform/database/connection.ts";

export interface PlanNode {
  readonly "Node Type": string;
  readonly "Subplan Name"?: string;
  readonly "Index Name"?: string;
  readonly "Relation Name"?: string;
  readonly "Conflict Arbiter Indexes"?: readonly string[];
  readonly "Actual Rows"?: number;
  readonly "Actual Loops"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly "Shared Hit Blocks"?: number;
  readonly "Shared Read Blocks"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** PostgreSQL plans the first calls of a prepared statement `custom`, for their values, and may plan later ones `generic`. */
export type PlanMode = "custom" | "generic";

/** Returns the plan of a prepared statement. @param options what EXPLAIN does besides, such as `ANALYZE` */
export async function explainPrepared(
  { prisma }: Database,
  text: string,
  values: readonly unknown[],
  mode: PlanMode,
  options = "",
): Promise<PlanNode> {
  const literals = values.length > 0 ? `(${values.map(toLiteral).join(", ")})` : "";
  const rows = await prisma.$transaction(async (tx) => {
    await tx.$executeRawUnsafe(`SET LOCAL plan_cache_mode = force_${mode}_plan`);
    await tx.$executeRawUnsafe(`PREPARE planned AS ${text}`);
    const explained = await tx.$queryRawUnsafe(`EXPLAIN (${options} FORMAT JSON) EXECUTE planned${literals}`);
    await tx.$executeRawUnsafe("DEALLOCATE planned");
    return explained as { "QUERY PLAN": [{ Plan: PlanNode }] }[];
  });
  return rows[0]?.["QUERY PLAN"][0].Plan as PlanNode;
}

function toLiteral(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString());
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map((item) => JSON.stringify(item)).join(",")}}`);
  return pg.escapeLiteral(String(value));
}

/** Returns the number of rows that a plan of `ANALYZE` reads from tables. */
export function countRead(node: PlanNode): number {
  const removed = (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
  const isRead = node["Relation Name"] !== undefined || node["Index Name"] !== undefined;
  const own = isRead ? ((node["Actual Rows"] ?? 0) + removed) * (node["Actual Loops"] ?? 1) : 0;
  return (node.Plans ?? []).reduce((sum, child) => sum + countRead(child), own);
}
