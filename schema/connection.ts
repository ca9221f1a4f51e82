/**
 * Connections: pages of lists with their cursors, sort orders and counts. A page with filters that no index serves reads a bounded
 * number of rows and may be shorter than requested. Then `pageInfo` states that the list continues, with the cursor of the last
 * row that was read.
 */
import { queryFromInfo } from "@pothos/plugin-prisma";
import type { GraphQLResolveInfo } from "graphql";
import { MAX_COUNT, type RowCount } from "../src/platform/database/list-page.ts";
import { builder } from "./builder.ts";
import type { Context } from "./context.ts";
import { decodeCursor, encodeCursor, OWN_ORDER } from "./cursor.ts";
import { type ConnectionList, DEFAULT_PAGE_SIZE } from "./paging.ts";

/** Arguments of a connection. */
interface PageArguments {
  readonly first?: number | null | undefined;
  readonly last?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly before?: string | null | undefined;
}

interface Edge<Row> {
  readonly node: Row;
  readonly cursor: string;
}

/** Resolves a connection. Reads one row more than the page has, to know whether the list continues. */
export async function resolveConnection<Row extends { readonly id: string }, Selection>(
  args: PageArguments,
  context: Context,
  info: GraphQLResolveInfo,
  list: ConnectionList<Row, Selection>,
) {
  const { first, last, after = null, before = null } = args;
  const { orderMark = OWN_ORDER } = list;
  const size = last ?? first ?? DEFAULT_PAGE_SIZE;
  const isBackward = before !== null || typeof last === "number";
  const cursor = before ?? after;
  const position = {
    ...(cursor === null ? { skip: 0 } : { cursor: { id: decodeCursor(cursor) }, skip: 1 }),
    take: isBackward ? -(size + 1) : size + 1,
  };
  const select = () =>
    queryFromInfo({ context, info, select: { id: true }, paths: [["nodes"], ["edges", "node"]] }) as Selection;
  const rows = await list.read(position, select);
  const continues = rows.length > size;
  const nodes = !continues ? rows : isBackward ? rows.slice(1) : rows.slice(0, -1);
  const edges = nodes.map((node): Edge<Row> => ({ node, cursor: encodeCursor(node.id, orderMark) }));
  const pageInfo = {
    startCursor: edges.at(0)?.cursor ?? null,
    endCursor: edges.at(-1)?.cursor ?? null,
    hasPreviousPage: after !== null || (isBackward && continues),
    hasNextPage: before !== null || (!isBackward && continues),
  };
  const scannedTo = rows.scannedToId ? encodeCursor(rows.scannedToId, orderMark) : null;
  const continuation = isBackward
    ? { hasPreviousPage: true, startCursor: scannedTo }
    : { hasNextPage: true, endCursor: scannedTo };
  return {
    edges,
    pageInfo: scannedTo === null ? pageInfo : { ...pageInfo, ...continuation },
    count: () => list.count(),
  };
}

const TotalCount = builder.objectRef<RowCount>("TotalCount").implement({
  description: "The number of items of a list that match the filter.",
  fields: (t) => ({
    value: t.exposeInt("value", {
      description: "The number of items: the exact number, or at least this number if `isCapped` is true.",
    }),
    isCapped: t.exposeBoolean("isCapped", {
      description: `Whether the count stopped: at ${MAX_COUNT.toLocaleString("en")} items, or after it checked that many items against a filter without an index.`,
    }),
  }),
});

builder.globalConnectionField("totalCount", (t) =>
  t.field({
    type: TotalCount,
    complexity: 10,
    description: "The number of items on all pages. Counted only if selected.",
    resolve: (connection) => (connection as unknown as { count(): Promise<RowCount> }).count(),
  }),
);
