/** Which nodes the caller may see, where a row's own columns do not say it by being equal to something. */
import DataLoader from "dataloader";
import type { Context } from "./context.ts";

/** No row has this id. */
const NONE = "";

/**
 * Makes a node's `findUnique`. Prisma reads many ids at once only where nothing but equality is asked of them: what else there
 * is to ask is asked here, in one statement for all.
 * @param find those of the ids that the caller may see
 */
export function findVisible(
  find: (ids: string[], context: Context) => Promise<readonly { readonly id: string }[]>,
): (id: string, context: Context) => Promise<{ id: string }> {
  const loaders = new WeakMap<Context, DataLoader<string, { id: string }>>();
  return (id, context) => {
    let loader = loaders.get(context);
    if (!loader) {
      const load = async (ids: readonly string[]) => {
        const visible = new Set((await find([...ids], context)).map((row) => row.id));
        return ids.map((asked) => ({ id: visible.has(asked) ? asked : NONE }));
      };
      // What a subscription looks at moves: each look reads afresh.
      loader = new DataLoader(load, { cache: false });
      loaders.set(context, loader);
    }
    return loader.load(id);
  };
}
