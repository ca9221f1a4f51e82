/** Lists that rows have of other rows, a page of each in one read. */
import type { Database, Statement } from "./connection.ts";

/** A table whose rows belong to others; as they are called in SQL, and never as a caller calls them. */
export interface ChildList {
  readonly table: string;
  /** The column that holds the parent's id. */
  readonly parentColumn: string;
  /** The type of the parents' ids in SQL; `text` unless given. */
  readonly parentType?: "uuid";
  /** What it is ordered by, then by id. */
  readonly timeColumn: string;
  readonly order: "newest first" | "oldest first";
  /** A condition on the row, `child`, with its values from `$4` on. */
  readonly condition?: string;
}

export interface ChildPage {
  /** The row to go on from, by its id; null starts at the list's beginning. Of another parent's row nothing follows. */
  readonly cursorId: string | null;
  /** How many rows after the cursor; below zero, before it. */
  readonly take: number;
}

/**
 * Makes the function that reads the ids of each parent's page, in the list's order. One read with a limit for each parent:
 * Prisma reads such lists whole once there is a cursor, and cuts the page out of them in memory.
 */
export function childPageReader(list: ChildList) {
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
      statement = { name: key, text: textOf(list, isBackward) };
      statements.set(key, statement);
    }
    const given = [parentIds, Math.abs(take), cursorId, ...values];
    const rows = await db.query<{ parentId: string; id: string }>(statement, given);
    const byParent = Map.groupBy(rows, ({ parentId }) => parentId);
    return parentIds.map((parentId) => (byParent.get(parentId) ?? []).map(({ id }) => id));
  };
}

function textOf(list: ChildList, isBackward: boolean): string {
  const { table, parentColumn, parentType = "text", timeColumn, order, condition } = list;
  const isNewestFirst = order === "newest first";
  const shown = isNewestFirst ? "DESC" : "ASC";
  const read = isNewestFirst !== isBackward ? "DESC" : "ASC";
  return `SELECT parent.id AS "parentId", page.id FROM unnest($1::${parentType}[]) AS parent (id)
    CROSS JOIN LATERAL (
      SELECT child.id, child.${timeColumn} AS at FROM ${table} AS child
      WHERE child.${parentColumn} = parent.id ${condition ? `AND (${condition})` : ""}
        AND ($3::text IS NULL OR (child.${timeColumn}, child.id) ${read === "DESC" ? "<" : ">"}
          (SELECT from_here.${timeColumn}, from_here.id FROM ${table} AS from_here
            WHERE from_here.id = $3 AND from_here.${parentColumn} = parent.id))
      ORDER BY child.${timeColumn} ${read}, child.id ${read} LIMIT $2
    ) AS page
    ORDER BY page.at ${shown}, page.id ${shown}`;
}
