/** Classification of database errors by SQLSTATE (PostgreSQL manual, appendix A). */

export const SQLSTATE = {
  characterNotInRepertoire: "22021",
  uniqueViolation: "23505",
  serializationFailure: "40001",
  deadlockDetected: "40P01",
  undefinedColumn: "42703",
  undefinedTable: "42P01",
  /**
   * Raised by the function `refuse_reservation` (`prisma/migrations`). The SQL standard reserves classes that begin with 5 to 9
   * or I to Z for implementations, and PostgreSQL defines none that begins with S.
   */
  reservationRefused: "SR001",
} as const;

/** Class 22: data exception. Class 23: integrity constraint violation. */
const ROLLED_BACK_CLASSES = ["22", "23"];
/** Not all of class 40: 40003 is "statement completion unknown". */
const ROLLED_BACK_STATES: readonly string[] = [
  SQLSTATE.serializationFailure,
  SQLSTATE.deadlockDetected,
  SQLSTATE.reservationRefused,
];

/** Returns the SQLSTATE of the error, or null if it has none. Prisma wraps the driver's error. */
function sqlStateOf(error: unknown): string | null {
  const { code, meta } = (error ?? {}) as {
    code?: unknown;
    meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } };
  };
  const state = meta?.driverAdapterError?.cause?.originalCode ?? code;
  return typeof state === "string" && /^[0-9A-Z]{5}$/.test(state) ? state : null;
}

/**
 * Returns true if the server certainly rolled the statement back, so a retry is safe. After any other failure, such as a
 * lost connection, it may have been committed.
 */
export function isRolledBack(error: unknown): boolean {
  const state = sqlStateOf(error) ?? "";
  return ROLLED_BACK_STATES.includes(state) || ROLLED_BACK_CLASSES.includes(state.slice(0, 2));
}

/** Returns true if PostgreSQL rolled the statement or transaction back to resolve a deadlock. */
export function isDeadlock(error: unknown): boolean {
  return sqlStateOf(error) === SQLSTATE.deadlockDetected;
}

export function isUniqueViolation(error: unknown): boolean {
  return sqlStateOf(error) === SQLSTATE.uniqueViolation || (error as { code?: unknown } | null)?.code === "P2002";
}

export const UNSTORABLE_TEXT = "The input contains a character that cannot be stored.";

/** Returns true if a parameter had a character that no column can store, such as NUL. The statement did not run. */
export function isUnstorableText(error: unknown): boolean {
  return sqlStateOf(error) === SQLSTATE.characterNotInRepertoire;
}

/** Returns true if a table or column does not exist: another version created the database. */
export function isSchemaMismatch(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === SQLSTATE.undefinedTable || state === SQLSTATE.undefinedColumn;
}
