/** What the database says of a statement that it refused, by SQLSTATE (PostgreSQL, appendix A). */

/** Null for what is no refusal of the database. Prisma wraps what the driver said. */
function sqlStateOf(error: unknown): string | null {
  const { code, meta } = (error ?? {}) as {
    code?: unknown;
    meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } };
  };
  const state = meta?.driverAdapterError?.cause?.originalCode ?? code;
  return typeof state === "string" && /^[0-9A-Z]{5}$/.test(state) ? state : null;
}

/** A row that would be the second of its kind. */
export function isUniqueViolation(error: unknown): boolean {
  return sqlStateOf(error) === "23505" || (error as { code?: unknown } | null)?.code === "P2002";
}

export const UNSTORABLE_TEXT = "The input has a character that cannot be stored.";

/** Text with a character that no column can hold, such as NUL: nothing was looked for, and nothing done. */
export function isUnstorableText(error: unknown): boolean {
  return sqlStateOf(error) === "22021";
}

/** A table or column that is not there: the database was made by another version. */
export function isSchemaMismatch(error: unknown): boolean {
  return ["42P01", "42703"].includes(sqlStateOf(error) ?? "");
}
