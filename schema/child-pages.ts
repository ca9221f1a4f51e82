/** Nested connections: reads one page for each parent of a list with the number of statements that one parent needs. */
import DataLoader from "dataloader";
import { type ChildList, createChildPageReader } from "../src/platform/database/child-page-reader.ts";
import type { Context } from "./context.ts";
import { type PagePosition, requireCursorRow } from "./paging.ts";

/** Query that Pothos creates for a connection: the page and the selection of its fields. */
interface PageQuery extends PagePosition {
  readonly skip?: number;
}

interface PageRequest<Selection> {
  readonly parentId: string;
  readonly query: Selection & PageQuery;
  readonly values: readonly unknown[];
}

/**
 * Creates the read function of a connection's resolver. It does not check access to the parent: the parent's resolver does.
 * @param findRows returns the rows with these ids, in any order, with the fields in `selection`
 * @param countRows for lists whose rows may be deleted: counts the account's rows with an id, in any of its lists
 */
export function createConnectionReader<Row extends { readonly id: string }, Selection extends object>(
  list: ChildList,
  findRows: (context: Context, selection: Selection, ids: string[]) => Promise<readonly Row[]>,
  countRows?: (context: Context, id: string) => Promise<number>,
) {
  const readChildIds = createChildPageReader(list);
  const loaders = new WeakMap<Context, DataLoader<PageRequest<Selection>, Row[]>>();
  const groupKey = ({ query, values }: PageRequest<Selection>) => JSON.stringify([query, values]);

  async function readPages(context: Context, requests: readonly PageRequest<Selection>[]): Promise<Row[][]> {
    const pages = new Map<PageRequest<Selection>, Row[]>();
    // A field requests the same page of every parent. The same field under another alias may request another page.
    for (const group of Map.groupBy(requests, groupKey).values()) {
      const [{ query, values }] = group as [PageRequest<Selection>, ...PageRequest<Selection>[]];
      const { cursor, take, skip: _, ...selection } = query;
      const parentIds = group.map(({ parentId }) => parentId);
      const page = { cursorId: cursor?.id ?? null, take };
      const idsOfPages = await readChildIds(context.deps.db, parentIds, page, values);
      const ids = idsOfPages.flat();
      if (countRows) await requireCursorRow(ids, query, (id) => countRows(context, id));
      const rows = await findRows(context, selection as unknown as Selection, ids);
      const byId = new Map(rows.map((row) => [row.id, row]));
      group.forEach((request, index) => {
        pages.set(
          request,
          (idsOfPages[index] ?? []).flatMap((id) => byId.get(id) ?? []),
        );
      });
    }
    return requests.map((request) => pages.get(request) ?? []);
  }

  return (
    context: Context,
    query: Selection & PageQuery,
    parentId: string,
    values: readonly unknown[] = [],
  ): Promise<Row[]> => {
    let loader = loaders.get(context);
    if (!loader) {
      // A subscription's rows change between events, so every event reads them from the database.
      loader = new DataLoader((requests) => readPages(context, requests), { cache: false });
      loaders.set(context, loader);
    }
    return loader.load({ parentId, query, values });
  };
}
