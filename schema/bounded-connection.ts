/**
 * Connections with filters that no index serves. A page reads a bounded number of rows and may be shorter than requested.
 * Then `pageInfo` states that the list continues, with the cursor of the last row that was read.
 */
import { prismaConnectionHelpers, queryFromInfo } from "@pothos/plugin-prisma";
import type { GraphQLResolveInfo } from "graphql";
import { builder } from "./builder.ts";
import type { ConnectionPage } from "./child-pages.ts";
import type { Context } from "./context.ts";
import { PAGES, type PagePosition } from "./paging.ts";

/** Arguments of a connection. */
interface PageArguments {
  readonly first?: number | null | undefined;
  readonly last?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly before?: string | null | undefined;
}

type PageQuery = PagePosition & { readonly skip: number };

const { cursor, defaultSize, maxSize, complexity, nullable, validate } = PAGES;
/** Options of the field, besides those of every field. */
export const BOUNDED_PAGES = { complexity, nullable, validate } as const;

/** The cursor of any row: every list's cursors are encoded ids. */
const { getQuery, resolve } = prismaConnectionHelpers(builder, "Session", { cursor, defaultSize, maxSize });

/** Resolves a connection from a page that a reader of `createConnectionReader` returns. */
export async function resolveBounded<Row extends { readonly id: string }>(
  args: PageArguments,
  context: Context,
  info: GraphQLResolveInfo,
  read: (query: PageQuery) => Promise<ConnectionPage<Row>>,
) {
  const { select: _, ...position } = getQuery(args, context, () => true) as unknown as PageQuery & { select: object };
  const paths = [["nodes"], ["edges", "node"]];
  const page = await read({ ...queryFromInfo({ context, info, select: { id: true }, paths }), ...position });
  const connection = resolve(page as never, args, context) as unknown as {
    edges: { node: Row; cursor: string }[];
    pageInfo: { startCursor: string | null; endCursor: string | null; hasPreviousPage: boolean; hasNextPage: boolean };
  };
  if (page.scannedToId === null) return connection;
  const scannedTo = Buffer.from(`GPC:S:${page.scannedToId}`).toString("base64");
  const continuation =
    position.take < 0 ? { hasPreviousPage: true, startCursor: scannedTo } : { hasNextPage: true, endCursor: scannedTo };
  return { ...connection, pageInfo: { ...connection.pageInfo, ...continuation } };
}
