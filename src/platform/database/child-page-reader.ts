/** Pages of child rows for many parents in one statement. */
import type { Database, Statement } from "./connection.ts";

/** A table of child rows. The names are inserted into SQL unescaped and must never come from a caller. */
export interface ChildList {
  readonly table: string;
  /** The column that holds the parent's id. */
  readonly parentColumn: string;
  /** SQL type of the parent ids; `text` by default. */
  readonly parentType?: "uuid";
  /** The first sort column, before the id. */
  readonly timeColumn: string;
  readonly order: "newest first" | "oldest first";
  /** An SQL condition on the row `child`, with parameters from `$4`. */
  readonly condition?: string;
}

export interface ChildPage {
  /** Id of the row before the page; null starts at the beginning. A row of another parent yields an empty page. */
  readonly cursorId: string | null;
  /** Number of rows after the cursor, or before it if negative, as in Prisma. */
  readonly take: number;
}

/**
 * Creates a function that reads the ids of each parent's page in the list's order, with one limit per parent. With a cursor,
 * Prisma would read the whole lists and slice the pages in memory.
 */
export function createChildPageReader(list: ChildList) {
  const statements = new Map<string, Statement>();
  return async function readChildIds(
    db: Database,
    parentIds: readonly string[],
    { cursorId, take }: ChildPage,
    values: readonly unknown[] = [],
  ): Promise<string[][]> {
    const isBackward = take < 0;
    const key = `${list.table}-pages-${isBackward ? "backward" : "forward"}`;
    let statement = statements.get(key);
    if (!statement) {
      statement = { name: key, text: buildQuery(list, isBackward) };
      statements.set(key, statement);
    }
    const parameters = [parentIds, Math.abs(take), cursorId, ...values];
    const rows = await db.query<{ parentId: string; id: string }>(statement, parameters);
    const byParent = Map.groupBy(rows, ({ parentId }) => parentId);
    return parentIds.map((parentId) => (byParent.get(parentId) ?? []).map(({ id }) => id));
  };
}

function buildQuery(list: ChildList, isBackward: boolean): string {
  const { table, parentColumn, parentType = "text", timeColumn, order, condition } = list;
  const isNewestFirst = order === "newest first";
  const listOrder = isNewestFirst ? "DESC" : "ASC";
  const scanOrder = isNewestFirst !== isBackward ? "DESC" : "ASC";
  return `SELECT parent.id AS "parentId", page.id FROM unnest($1::${parentType}[]) AS parent (id)
    CROSS JOIN LATERAL (
      SELECT child.id, child.${timeColumn} AS at FROM ${table} AS child
      WHERE child.${parentColumn} = parent.id ${condition ? `AND (${condition})` : ""}
        AND ($3::text IS NULL OR (child.${timeColumn}, child.id) ${scanOrder === "DESC" ? "<" : ">"}
          (SELECT from_here.${timeColumn}, from_here.id FROM ${table} AS from_here
            WHERE from_here.id = $3 AND from_here.${parentColumn} = parent.id))
      ORDER BY child.${timeColumn} ${scanOrder}, child.id ${scanOrder} LIMIT $2
    ) AS page
    ORDER BY page.at ${listOrder}, page.id ${listOrder}`;
}
