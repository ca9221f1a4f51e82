/** Pagination (Relay connections): page length, complexity and validation of the arguments. */
import { z } from "zod";
import { InvalidRequestError } from "../src/platform/errors.ts";

const DEFAULT_PAGE_SIZE = 20;
export const MAX_PAGE_SIZE = 100;

const PageLength = z
  .number()
  .min(0, `must be from 0 to ${MAX_PAGE_SIZE}`)
  .max(MAX_PAGE_SIZE, `must be from 0 to ${MAX_PAGE_SIZE}`)
  .nullish();

/** Pothos encodes a cursor with a string id as `GPC:S:<id>` in base64. */
const Cursor = z
  .string()
  .refine((text) => /^GPC:S:[\w-]{1,1400}$/.test(Buffer.from(text, "base64").toString("latin1")), {
    error: "is not a cursor of this list",
  })
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
 * Validates the four arguments of a connection; the error names the invalid one. `first` reads forward from `after`, `last`
 * backward from `before`.
 */
const PageArguments = z
  .looseObject({
    first: PageLength,
    last: PageLength,
    after: Cursor,
    before: Cursor,
  })
  .check(({ value, issues }) => {
    for (const [name, other] of EXCLUSIVE_ARGUMENTS) {
      if (isGiven(value[name]) && isGiven(value[other])) {
        issues.push({ code: "custom", input: value, path: [name], message: `cannot be combined with ${other}` });
      }
    }
  });

/** Multiplies the cost of an item by the page length. An invalid length costs no more than a page: the field rejects it. */
function complexityOf({ first, last }: { first?: number | null | undefined; last?: number | null | undefined }) {
  return { field: 5, multiplier: Math.min(first ?? last ?? DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE) };
}

export const NEWEST_FIRST: { createdAt?: "desc"; id?: "desc" }[] = [{ createdAt: "desc" }, { id: "desc" }];

/**
 * Options common to all connections: cursors are ids; page length, complexity and validation are the same. A connection is
 * nullable, so that an invalid argument or a failure leaves the other fields of its object.
 */
export const PAGES = {
  nullable: true,
  cursor: "id",
  defaultSize: DEFAULT_PAGE_SIZE,
  maxSize: MAX_PAGE_SIZE,
  complexity: complexityOf,
  validate: PageArguments,
} as const;

/** Start and length of a page, as Pothos passes them. */
export interface PagePosition {
  readonly cursor?: { readonly id?: string | undefined };
  /** Number of rows after the cursor; a negative number reads rows before it. */
  readonly take: number;
}

/**
 * Reads a page of an owner's rows. A cursor of another owner's row returns no rows: otherwise it would reveal that the row
 * exists and its age. Prisma always skips the first row from the cursor on. If the cursor's row no longer matches the filter,
 * that row would be the next item, so the page is read without `skip`.
 * @param owner column and value that identify the owner: Prisma accepts no relation in a cursor
 * @param count counts the rows that match
 * @throws {InvalidRequestError} if the page is empty because the cursor's row was deleted
 */
export async function readPage<
  Query extends PagePosition & { skip: number },
  Row extends { readonly id: string },
  Owner extends Readonly<Record<string, string>>,
>(
  query: Query,
  owner: Owner,
  read: (query: Query) => Promise<Row[]>,
  count: (where: Owner & { readonly id: string }) => Promise<number>,
): Promise<Row[]> {
  const { cursor, take } = query;
  if (!cursor?.id) return await read(query);
  const isForward = take > 0;
  const rows = await read({
    ...query,
    cursor: { ...cursor, ...owner },
    skip: 0,
    take: isForward ? take + 1 : take - 1,
  });
  const otherRows = rows.filter(({ id }) => id !== cursor.id);
  const page = isForward ? otherRows.slice(0, take) : otherRows.slice(take);
  return await requireCursorRow(page, query, (id) => count({ ...owner, id }));
}

/**
 * Returns the rows of a page, for lists whose rows may be deleted. The successors of a deleted row are unknown, and an empty
 * page would wrongly mark the end of the list.
 * @param countRows counts the owner's rows with an id
 * @throws {InvalidRequestError} if the page is empty because the cursor's row was deleted
 */
export async function requireCursorRow<Row>(
  rows: Row[],
  { cursor, take }: PagePosition,
  countRows: (id: string) => Promise<number>,
): Promise<Row[]> {
  if (rows.length > 0 || !cursor?.id || (await countRows(cursor.id)) > 0) return rows;
  const name = take < 0 ? "before" : "after";
  throw new InvalidRequestError(
    `${name} refers to a deleted item. Read the list from the start, without ${name}.`,
    name,
  );
}
