/** Sort orders of connections: those that an index serves, with any filter. */
import type { ListOrder } from "../src/platform/database/list-page.ts";
import { builder } from "./builder.ts";
import { OWN_ORDER } from "./cursor.ts";
import { PAGES, pageArguments } from "./paging.ts";

type Direction = "ASC" | "DESC";

const OrderDirection = builder.enumType("OrderDirection", {
  description: "The direction of a sort order.",
  values: {
    ASC: { description: "Ascending: oldest first." },
    DESC: { description: "Descending: newest first." },
  } as const,
});

/** The order in which a page is read, with the mark of its cursors. */
export interface PageOrder {
  readonly order: ListOrder;
  readonly orderMark: string;
}

/**
 * Adds the input type of a sort order, with an enum of the keys.
 * @param items the sorted items in the plural, for the descriptions
 * @param field the name of the key
 * @param description of the key
 */
export function orderType(name: string, items: string, field: string, description: string) {
  const fieldType = builder.enumType(`${name}Field`, {
    description: `The key by which ${items} are sorted. Keys may be added.`,
    values: { [field]: { description } },
  });
  const type = builder.inputType(name, {
    description: `The sort order of ${items}.`,
    fields: (t) => ({
      field: t.field({ type: fieldType, required: true, description: "The key." }),
      direction: t.field({ type: OrderDirection, required: true, description: "The direction." }),
    }),
  });
  return { type, field };
}

/**
 * Returns what a connection with the argument `orderBy` needs.
 * @param usual the direction without `orderBy`
 * @param own the direction in which cursors have no mark, as they had before there was another one
 */
export function orderedBy({ type, field }: ReturnType<typeof orderType>, usual: Direction, own: Direction = usual) {
  const usualOrder = { field, direction: usual };
  const orderOf = (args: object): PageOrder => {
    const { direction } = (args as { orderBy?: typeof usualOrder | null }).orderBy ?? usualOrder;
    return {
      order: direction === "ASC" ? "oldest first" : "newest first",
      orderMark: direction === own ? OWN_ORDER : `${field}_${direction}`,
    };
  };
  return {
    /** Options of the field, besides those of every field. */
    pages: { ...PAGES, validate: pageArguments((args) => orderOf(args).orderMark) },
    argument: { type, defaultValue: usualOrder, description: "The sort order. Cursors are valid in their order only." },
    orderOf,
  };
}
