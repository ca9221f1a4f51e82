/** Connections on lists: reads one page for each parent of a list and counts them, with the number of statements that one parent needs. */
import DataLoader from "dataloader";
import {
  countListRows,
  type ListFilter,
  type ListOrder,
  type RowList,
  readListPages,
} from "../src/platform/database/list-page.ts";
import type { Context } from "./context.ts";
import { OWN_ORDER } from "./cursor.ts";
import type { PageOrder } from "./list-order.ts";
import { type ConnectionList, type ConnectionPage, type PagePosition, requireCursorRow } from "./paging.ts";

interface ListRequest {
  readonly parentId: string;
  readonly order: ListOrder;
  readonly filter: ListFilter;
}

interface PageRequest<Selection> extends ListRequest {
  readonly position: PagePosition;
  readonly selection: Selection;
}

/**
 * Creates the function that returns the list of a connection, by its parent. It does not check access to the parent: the parent's
 * resolver does.
 * @param findRows returns the rows with these ids, in any order, with the fields in `selection`
 * @param countRows counts the rows with an id, of the parent or of any list of the account. Without it, a cursor of an unknown
 *   row returns an empty page.
 */
export function createConnectionReader<Row extends { readonly id: string }, Selection extends object>(
  list: RowList,
  findRows: (context: Context, selection: Selection, ids: string[]) => Promise<readonly Row[]>,
  countRows?: (context: Context, id: string, parentId: string) => Promise<number>,
) {
  const loadPage = createLoader(async (context, [request, ...others]: Batch<PageRequest<Selection>>) => {
    const { position, selection, order, filter } = request;
    const { cursor, take } = position;
    const parentIds = [request, ...others].map(({ parentId }) => parentId);
    const page = { cursorId: cursor?.id ?? null, take };
    const found = await readListPages(context.deps.db, { ...list, order }, parentIds, page, filter);
    const ids = found.flatMap((part) => part.rows.map(({ id }) => id));
    if (countRows && found.every(({ scannedToId }) => scannedToId === null)) {
      await requireCursorRow(ids, position, (id) => countRows(context, id, request.parentId));
    }
    const rows = ids.length === 0 ? [] : await findRows(context, selection, ids);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return found.map(({ rows: part, scannedToId }): ConnectionPage<Row> => {
      const items = part.flatMap(({ id }) => byId.get(id) ?? []);
      return Object.assign(items, { scannedToId });
    });
  });
  const loadCount = createLoader((context, [request, ...others]: Batch<ListRequest>) => {
    const parentIds = [request, ...others].map(({ parentId }) => parentId);
    return countListRows(context.deps.db, list, parentIds, request.filter);
  });

  return (
    context: Context,
    parentId: string,
    filter: ListFilter = {},
    { order, orderMark }: PageOrder = { order: list.order, orderMark: OWN_ORDER },
  ): ConnectionList<Row, Selection> => ({
    orderMark,
    read: (position, select) => loadPage(context, { parentId, order, filter, position, selection: select() }),
    count: () => loadCount(context, { parentId, order, filter }),
  });
}

type Batch<Request> = readonly [Request, ...Request[]];

/**
 * Batches the requests that differ only in their parent. A field requests the same page of every parent; the same field under
 * another alias may request another page.
 * @param load returns the result for each request of a batch
 */
function createLoader<Request extends ListRequest, Result>(
  load: (context: Context, batch: Batch<Request>) => Promise<readonly Result[]>,
) {
  const loaders = new WeakMap<Context, DataLoader<Request, Result>>();
  const loadAll = async (context: Context, requests: readonly Request[]): Promise<Result[]> => {
    const results = new Map<Request, Result>();
    for (const group of Map.groupBy(requests, ({ parentId: _, ...rest }) => JSON.stringify(rest)).values()) {
      const batch = group as unknown as Batch<Request>;
      const loaded = await load(context, batch);
      group.forEach((request, index) => {
        results.set(request, loaded[index] as Result);
      });
    }
    return requests.map((request) => results.get(request) as Result);
  };
  return (context: Context, request: Request): Promise<Result> => {
    let loader = loaders.get(context);
    if (!loader) {
      // A subscription's rows change between events, so every event reads them from the database.
      loader = new DataLoader((requests) => loadAll(context, requests), { cache: false });
      loaders.set(context, loader);
    }
    return loader.load(request);
  };
}
