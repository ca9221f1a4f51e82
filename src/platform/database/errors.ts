/** Errors of the database, told apart by SQLSTATE (PostgreSQL manual, appendix A). */

export const SQLSTATE = {
  characterNotInRepertoire: "22021",
  uniqueViolation: "23505",
  serializationFailure: "40001",
  deadlockDetected: "40P01",
  undefinedColumn: "42703",
  undefinedTable: "42P01",
  /**
   * Raised by the function `refuse_reservation` (`prisma/migrations`). The SQL standard leaves classes that begin with 5 to 9
   * or I to Z to implementations, and PostgreSQL has none that begins with S.
   */
  reservationRefused: "SR001",
} as const;

/** Classes of errors in what a statement was given or met: 22 data, 23 constraints. */
const ROLLED_BACK_CLASSES = ["22", "23"];
/** Of class 40, not all: 40003 says that nobody knows whether the statement completed. */
const ROLLED_BACK_STATES: readonly string[] = [
  SQLSTATE.serializationFailure,
  SQLSTATE.deadlockDetected,
  SQLSTATE.reservationRefused,
];

/** Null for what is no refusal of the database. Prisma wraps what the driver said. */
function sqlStateOf(error: unknown): string | null {
  const { code, meta } = (error ?? {}) as {
    code?: unknown;
    meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } };
  };
  const state = meta?.driverAdapterError?.cause?.originalCode ?? code;
  return typeof state === "string" && /^[0-9A-Z]{5}$/.test(state) ? state : null;
}

/**
 * Returns true if the server certainly rolled the statement back, so that it can be sent again. After any other failure, such as a
 * lost connection, it may have been committed.
 */
export function isRolledBack(error: unknown): boolean {
  const state = sqlStateOf(error) ?? "";
  return ROLLED_BACK_STATES.includes(state) || ROLLED_BACK_CLASSES.includes(state.slice(0, 2));
}

/** PostgreSQL rolled the statement or transaction back, so that another one that waited for it could go on. */
export function isDeadlock(error: unknown): boolean {
  return sqlStateOf(error) === SQLSTATE.deadlockDetected;
}

/** A row that would be the second of its kind. */
export function isUniqueViolation(error: unknown): boolean {
  return sqlStateOf(error) === SQLSTATE.uniqueViolation || (error as { code?: unknown } | null)?.code === "P2002";
}

export const UNSTORABLE_TEXT = "The input has a character that cannot be stored.";

/** Text with a character that no column can hold, such as NUL: nothing was looked for, and nothing done. */
export function isUnstorableText(error: unknown): boolean {
  return sqlStateOf(error) === SQLSTATE.characterNotInRepertoire;
}

/** A table or column that is not there: the database was made by another version. */
export function isSchemaMismatch(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === SQLSTATE.undefinedTable || state === SQLSTATE.undefinedColumn;
}
