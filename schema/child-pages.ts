/** Connections on lists: reads one page for each parent of a list with the number of statements that one parent needs. */
import DataLoader from "dataloader";
import { type ListFilter, type RowList, readListPages } from "../src/platform/database/list-page.ts";
import type { Context } from "./context.ts";
import { type PagePosition, requireCursorRow } from "./paging.ts";

/** Query that Pothos creates for a connection: the page and the selection of its fields. */
interface PageQuery extends PagePosition {
  readonly skip?: number;
}

/** The rows of a page. `resolveBounded` reads `scannedToId` (`ListRows`); other connections have no conditions. */
export type ConnectionPage<Row> = Row[] & { readonly scannedToId: string | null };

interface PageRequest<Selection> {
  readonly parentId: string;
  readonly query: Selection & PageQuery;
  readonly filter: ListFilter;
}

/**
 * Creates the read function of a connection's resolver. It does not check access to the parent: the parent's resolver does.
 * @param findRows returns the rows with these ids, in any order, with the fields in `selection`
 * @param countRows counts the rows with an id, of the parent or of any list of the account. Without it, a cursor of an unknown
 *   row returns an empty page.
 */
export function createConnectionReader<Row extends { readonly id: string }, Selection extends object>(
  list: RowList,
  findRows: (context: Context, selection: Selection, ids: string[]) => Promise<readonly Row[]>,
  countRows?: (context: Context, id: string, parentId: string) => Promise<number>,
) {
  const loaders = new WeakMap<Context, DataLoader<PageRequest<Selection>, ConnectionPage<Row>>>();
  const groupKey = ({ query, filter }: PageRequest<Selection>) => JSON.stringify([query, filter]);

  async function readPages(
    context: Context,
    requests: readonly PageRequest<Selection>[],
  ): Promise<ConnectionPage<Row>[]> {
    const pages = new Map<PageRequest<Selection>, ConnectionPage<Row>>();
    // A field requests the same page of every parent. The same field under another alias may request another page.
    for (const group of Map.groupBy(requests, groupKey).values()) {
      const [{ query, filter }] = group as [PageRequest<Selection>, ...PageRequest<Selection>[]];
      const { cursor, take, skip: _, ...selection } = query;
      const parentIds = group.map(({ parentId }) => parentId);
      const page = { cursorId: cursor?.id ?? null, take };
      const found = await readListPages(context.deps.db, list, parentIds, page, filter);
      const ids = found.flatMap((part) => part.rows.map(({ id }) => id));
      if (countRows && found.every(({ scannedToId }) => scannedToId === null)) {
        await requireCursorRow(ids, query, (id) => countRows(context, id, parentIds[0] as string));
      }
      const rows = ids.length === 0 ? [] : await findRows(context, selection as unknown as Selection, ids);
      const byId = new Map(rows.map((row) => [row.id, row]));
      group.forEach((request, index) => {
        const { rows: part = [], scannedToId = null } = found[index] ?? {};
        const page = part.flatMap(({ id }) => byId.get(id) ?? []);
        pages.set(request, Object.assign(page, { scannedToId }));
      });
    }
    return requests.map((request) => pages.get(request) as ConnectionPage<Row>);
  }

  return (
    context: Context,
    query: Selection & PageQuery,
    parentId: string,
    filter: ListFilter = {},
  ): Promise<ConnectionPage<Row>> => {
    let loader = loaders.get(context);
    if (!loader) {
      // A subscription's rows change between events, so every event reads them from the database.
      loader = new DataLoader((requests) => readPages(context, requests), { cache: false });
      loaders.set(context, loader);
    }
    return loader.load({ parentId, query, filter });
  };
}
