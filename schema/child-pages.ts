/** Connections of rows that are themselves in a list: a page of each, in as many statements as one takes. */
import DataLoader from "dataloader";
import { type ChildList, childPageReader } from "../src/platform/database/child-page-reader.ts";
import type { Context } from "./context.ts";
import { keptPlace, type PagePlace } from "./paging.ts";

/** What Pothos asks for of a connection: the page, and what its fields need. */
interface WantedRows extends PagePlace {
  readonly skip?: number;
}

interface Wanted<Selection> {
  readonly parentId: string;
  readonly query: Selection & WantedRows;
  readonly values: readonly unknown[];
}

/**
 * Makes the resolver's read. Who the parent belongs to is the parent's matter.
 * @param findRows those of the ids, in any order, with what `selection` wants of them
 * @param countKept for a list whose rows may be deleted: how many of the account's rows have an id, in whichever of its lists
 */
export function childPages<Row extends { readonly id: string }, Selection extends object>(
  list: ChildList,
  findRows: (context: Context, selection: Selection, ids: string[]) => Promise<readonly Row[]>,
  countKept?: (context: Context, id: string) => Promise<number>,
) {
  const readChildIds = childPageReader(list);
  const loaders = new WeakMap<Context, DataLoader<Wanted<Selection>, Row[]>>();
  const alikeAs = ({ query, values }: Wanted<Selection>) => JSON.stringify([query, values]);

  async function readPages(context: Context, wanted: readonly Wanted<Selection>[]): Promise<Row[][]> {
    const found = new Map<Wanted<Selection>, Row[]>();
    // A field asks for the same page of every parent; the same field under another alias may ask for another.
    for (const alike of Map.groupBy(wanted, alikeAs).values()) {
      const [{ query, values }] = alike as [Wanted<Selection>, ...Wanted<Selection>[]];
      const { cursor, take, skip: _, ...selection } = query;
      const parentIds = alike.map(({ parentId }) => parentId);
      const page = { cursorId: cursor?.id ?? null, take };
      const idsOfPages = await readChildIds(context.deps.db, parentIds, page, values);
      const ids = idsOfPages.flat();
      if (countKept) await keptPlace(ids, query, (id) => countKept(context, id));
      const rows = await findRows(context, selection as unknown as Selection, ids);
      const byId = new Map(rows.map((row) => [row.id, row]));
      alike.forEach((one, index) => {
        found.set(
          one,
          (idsOfPages[index] ?? []).flatMap((id) => byId.get(id) ?? []),
        );
      });
    }
    return wanted.map((one) => found.get(one) ?? []);
  }

  return (
    context: Context,
    query: Selection & WantedRows,
    parentId: string,
    values: readonly unknown[] = [],
  ): Promise<Row[]> => {
    let loader = loaders.get(context);
    if (!loader) {
      // What a subscription looks at moves: each look reads afresh.
      loader = new DataLoader((wanted) => readPages(context, wanted), { cache: false });
      loaders.set(context, loader);
    }
    return loader.load({ parentId, query, values });
  };
}
