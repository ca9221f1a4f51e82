/** Visibility check of nodes for which an equality condition on the row's own columns is not enough. */
import DataLoader from "dataloader";
import type { Context } from "./context.ts";

/** No row has this id. */
const NONE = "";

/**
 * Creates a node's `findUnique`. Prisma batches `findUnique` calls only if all conditions are equalities. Other conditions
 * are checked here, in one statement for all ids.
 * @param find returns the rows with these ids that the caller may see
 */
export function createVisibleFinder(
  find: (ids: string[], context: Context) => Promise<readonly { readonly id: string }[]>,
): (id: string, context: Context) => Promise<{ id: string }> {
  const loaders = new WeakMap<Context, DataLoader<string, { id: string }>>();
  return (id, context) => {
    let loader = loaders.get(context);
    if (!loader) {
      const load = async (ids: readonly string[]) => {
        const visible = new Set((await find([...ids], context)).map((row) => row.id));
        return ids.map((id) => ({ id: visible.has(id) ? id : NONE }));
      };
      // A subscription's rows change between events, so every event reads them from the database.
      loader = new DataLoader(load, { cache: false });
      loaders.set(context, loader);
    }
    return loader.load(id);
  };
}
