/** Pagination (Relay connections): page length, complexity and validation of the arguments. */
import { z } from "zod";
import { MAX_COUNT, type RowCount } from "../src/platform/database/list-page.ts";
import { InvalidRequestError } from "../src/platform/errors.ts";
import { findOrderMark, OWN_ORDER } from "./cursor.ts";

export const DEFAULT_PAGE_SIZE = 20;
const MAX_PAGE_SIZE = 100;

const PageLength = z
  .number()
  .min(0, `must be from 0 to ${MAX_PAGE_SIZE}`)
  .max(MAX_PAGE_SIZE, `must be from 0 to ${MAX_PAGE_SIZE}`)
  .nullish();

const Cursor = z
  .string()
  .refine((text) => findOrderMark(text) !== null, { error: "is not a cursor of this list" })
  .nullish();

/** Pairs of arguments that exclude each other. */
const EXCLUSIVE_ARGUMENTS = [
  ["last", "first"],
  ["before", "after"],
  ["before", "first"],
  ["last", "after"],
] as const;

const isGiven = (value: unknown) => value !== undefined && value !== null;

/**
 * Returns the validation of a connection's arguments; errors name the invalid one. `first` reads forward from `after`, `last`
 * backward from `before`.
 * @param markOf returns the mark of the requested sort order, which cursors must have
 */
export const pageArguments = (markOf: (args: Readonly<Record<string, unknown>>) => string) =>
  z.looseObject({ first: PageLength, last: PageLength, after: Cursor, before: Cursor }).check(({ value, issues }) => {
    const addIssue = (name: string, message: string) =>
      issues.push({ code: "custom", input: value, path: [name], message });
    for (const [name, other] of EXCLUSIVE_ARGUMENTS) {
      if (isGiven(value[name]) && isGiven(value[other])) addIssue(name, `cannot be combined with ${other}`);
    }
    for (const name of ["after", "before"] as const) {
      const cursor = value[name];
      if (isGiven(cursor) && findOrderMark(cursor as string) !== markOf(value)) {
        addIssue(name, "is a cursor of another order");
      }
    }
  });

/** Multiplies the cost of an item by the page length. An invalid length costs no more than a page: the field rejects it. */
function complexityOf({ first, last }: { first?: number | null | undefined; last?: number | null | undefined }) {
  return { field: 5, multiplier: Math.min(first ?? last ?? DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE) };
}

export const NEWEST_FIRST: { createdAt?: "desc"; id?: "desc" }[] = [{ createdAt: "desc" }, { id: "desc" }];

/**
 * Options common to all connections: complexity and validation are the same. A connection is nullable, so that an invalid argument
 * or a failure leaves the other fields of its object.
 */
export const PAGES = {
  nullable: true,
  complexity: complexityOf,
  validate: pageArguments(() => OWN_ORDER),
} as const;

/** Start and length of a page, as in Prisma. */
export interface PagePosition {
  readonly cursor?: { readonly id: string };
  /** Number of rows after the cursor; a negative number reads rows before it. */
  readonly take: number;
  /** 1 with a cursor, whose row is not part of the page; otherwise 0. */
  readonly skip: number;
}

/** The rows of a page. `scannedToId` is that of `ListRows`; null for lists without conditions. */
export type ConnectionPage<Row> = readonly Row[] & { readonly scannedToId?: string | null };

/** A list of which a connection shows pages. */
export interface ConnectionList<Row, Selection = object> {
  /** Returns a page. `select` returns the selection of the requested fields, for Prisma. */
  read(position: PagePosition, select: () => Selection): Promise<ConnectionPage<Row>>;
  /** Counts the items that match the filter, up to `MAX_COUNT`. */
  count(): Promise<RowCount>;
  /** Mark of the sort order in the cursors; by default that of the list's own order. */
  readonly orderMark?: string;
}

/**
 * Returns a list that Prisma reads, for lists that remain short or have an order of several columns. A cursor of another owner's
 * row returns no rows: otherwise it would reveal that the row exists and its age. Prisma always skips the first row from the cursor
 * on. If the cursor's row no longer matches the filter, that row would be the next item, so the page is read without `skip`.
 * @param owner column and value that identify the owner: Prisma accepts no relation in a cursor
 * @param where the filter, which includes the owner
 * @throws {InvalidRequestError} if a page is empty because the cursor's row was deleted
 */
export function prismaList<
  Selection extends object,
  Row extends { readonly id: string },
  Owner extends Readonly<Record<string, string>>,
  Where extends object,
>(
  owner: Owner,
  where: Where,
  read: (
    query: Selection & { where: Where; cursor?: { id: string } & Owner; skip: number; take: number },
  ) => Promise<Row[]>,
  count: (query: { where: Where | (Owner & { id: string }); take?: number }) => Promise<number>,
): ConnectionList<Row, Selection> {
  return {
    async read({ cursor, take, skip }, select) {
      if (!cursor) return await read({ ...select(), where, take, skip });
      const isForward = take > 0;
      const from = { ...cursor, ...owner };
      const rows = await read({ ...select(), where, cursor: from, skip: 0, take: isForward ? take + 1 : take - 1 });
      const otherRows = rows.filter(({ id }) => id !== cursor.id);
      const page = isForward ? otherRows.slice(0, take) : otherRows.slice(take);
      return await requireCursorRow(page, { cursor, take }, (id) => count({ where: { ...owner, id } }));
    },
    async count() {
      const value = await count({ where, take: MAX_COUNT + 1 });
      return { value: Math.min(value, MAX_COUNT), isCapped: value > MAX_COUNT };
    },
  };
}

/** Returns a list of items in memory, which are sorted by id. A cursor remains valid if its item is removed. */
export function arrayList<Row extends { readonly id: string }>(items: readonly Row[]): ConnectionList<Row> {
  return {
    async read({ cursor, take }) {
      const isForward = take > 0;
      const rest = items.filter(({ id }) => !cursor || (isForward ? id > cursor.id : id < cursor.id));
      return isForward ? rest.slice(0, take) : rest.slice(take);
    },
    count: async () => ({ value: Math.min(items.length, MAX_COUNT), isCapped: items.length > MAX_COUNT }),
  };
}

/**
 * Returns the rows of a page, for lists whose rows may be deleted. The successors of a deleted row are unknown, and an empty
 * page would wrongly mark the end of the list.
 * @param countRows counts the owner's rows with an id
 * @throws {InvalidRequestError} if the page is empty because the cursor's row was deleted
 */
export async function requireCursorRow<Row>(
  rows: Row[],
  { cursor, take }: Omit<PagePosition, "skip">,
  countRows: (id: string) => Promise<number>,
): Promise<Row[]> {
  if (rows.length > 0 || !cursor || (await countRows(cursor.id)) > 0) return rows;
  const name = take < 0 ? "before" : "after";
  throw new InvalidRequestError(
    `${name} refers to a deleted item. Read the list from the start, without ${name}.`,
    name,
  );
}
