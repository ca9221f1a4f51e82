/** Lists in pages (Relay connections): how long a page may be, what it costs, and what its arguments may be. */
import { z } from "zod";
import { InvalidRequestError } from "../src/platform/errors.ts";

const DEFAULT_PAGE_SIZE = 20;
export const MAX_PAGE_SIZE = 100;

const PageLength = z
  .number()
  .min(1, `must be from 1 to ${MAX_PAGE_SIZE}`)
  .max(MAX_PAGE_SIZE, `must be from 1 to ${MAX_PAGE_SIZE}`)
  .nullish();

/** Pothos writes a string id as `GPC:S:<id>` in base64. */
const Cursor = z
  .string()
  .refine((text) => /^GPC:S:[\w-]{1,1400}$/.test(Buffer.from(text, "base64").toString("latin1")), {
    error: "is not a cursor of this list",
  })
  .nullish();

/** Arguments that say different things about where a page begins. */
const APART = [
  ["last", "first"],
  ["before", "after"],
  ["before", "first"],
  ["last", "after"],
] as const;

const isGiven = (value: unknown) => value !== undefined && value !== null;

/**
 * Checks the four arguments of a connection, so that a wrong one is named: `first` goes on after a cursor, `last` back
 * before one.
 */
const PageArguments = z
  .looseObject({
    first: PageLength,
    last: PageLength,
    after: Cursor,
    before: Cursor,
  })
  .check(({ value, issues }) => {
    for (const [name, other] of APART) {
      if (isGiven(value[name]) && isGiven(value[other])) {
        issues.push({ code: "custom", input: value, path: [name], message: `does not go together with ${other}` });
      }
    }
  });

/** Each item costs as often as the page is long. */
function complexityOf({ first, last }: { first?: number | null | undefined; last?: number | null | undefined }) {
  return { field: 5, multiplier: first ?? last ?? DEFAULT_PAGE_SIZE };
}

export const NEWEST_FIRST: { createdAt?: "desc"; id?: "desc" }[] = [{ createdAt: "desc" }, { id: "desc" }];

/** What every list has in common: cursors are ids, and pages of one length, price and checking. */
export const PAGES = {
  cursor: "id",
  defaultSize: DEFAULT_PAGE_SIZE,
  maxSize: MAX_PAGE_SIZE,
  complexity: complexityOf,
  validate: PageArguments,
} as const;

/** Where a page begins, as Pothos asks for it. */
export interface PagePlace {
  readonly cursor?: { readonly id?: string | undefined };
  /** How many rows after the cursor; below zero, before it. */
  readonly take: number;
}

/**
 * Reads a page of what is an owner's. Of another's row nothing follows, or a cursor would tell that there is one, and since when.
 * Prisma leaves out the first row it finds from the cursor on: once the cursor's row fell out of a narrowed list, that is the
 * next one.
 * @param owner a column of the rows, and what it holds: Prisma takes no relation for a place
 * @param count how many rows there are
 * @throws {InvalidRequestError} when the page is empty because the cursor's row is gone
 */
export async function readPage<
  Query extends PagePlace & { skip: number },
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
  const others = rows.filter(({ id }) => id !== cursor.id);
  const page = isForward ? others.slice(0, take) : others.slice(take);
  return await keptPlace(page, query, (id) => count({ ...owner, id }));
}

/**
 * A page as it was read, of a list whose rows may be deleted: what follows a row that is gone is not known, and an empty page
 * would say that nothing does.
 * @param countKept how many rows of the owner have an id
 * @throws {InvalidRequestError} when the page is empty because the cursor's row is gone
 */
export async function keptPlace<Row>(
  rows: Row[],
  { cursor, take }: PagePlace,
  countKept: (id: string) => Promise<number>,
): Promise<Row[]> {
  if (rows.length > 0 || !cursor?.id || (await countKept(cursor.id)) > 0) return rows;
  const name = take < 0 ? "before" : "after";
  throw new InvalidRequestError(`${name} is not kept any more: its item was deleted. Begin anew without it.`, name);
}
