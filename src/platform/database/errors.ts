/** Classification of database errors by SQLSTATE (PostgreSQL manual, appendix A). */
import { KmsError } from "../crypto/sealing/key-encryption-kms.ts";
import { ServiceUnavailableError } from "../errors.ts";

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

/** Time after which a client may retry while the database is unreachable. */
const RETRY_AFTER_MS = 5_000;

/**
 * The database is unreachable, or all connections of this node are in use. A statement in flight may have been committed,
 * so a payment may be repeated only with the same idempotency key.
 */
export class DatabaseUnavailableError extends ServiceUnavailableError {
  readonly retryAfterMs = RETRY_AFTER_MS;
  constructor() {
    super("The service is temporarily unavailable. Retry in a few seconds, a payment with the same idempotency key.");
  }
}

/** AWS KMS rejected a request or does not respond, so that keys can be neither created nor opened. */
export class KeysUnavailableError extends ServiceUnavailableError {
  readonly retryAfterMs = RETRY_AFTER_MS;
  constructor() {
    super(
      "The service's key store is temporarily unavailable. Retry in a few seconds, a payment with the same idempotency key.",
    );
  }
}

/** Errors of the operating system for a connection. Only known to concern the database where a statement ran. */
const CONNECTION_CODES: readonly unknown[] = [
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
];
/** Class 08: connection exception. 57P01 to 57P03: the server stops or starts. 53300: too many connections. */
const UNAVAILABLE_STATES = /^(?:08...|57P0[123]|53300)$/;
/** Messages of the driver, which have no code. The second one is that of an exhausted pool. */
const DRIVER_MESSAGES =
  /^(?:Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error)/;
/** Kinds of Prisma's driver adapters. */
const ADAPTER_KINDS: readonly unknown[] = [
  "DatabaseNotReachable",
  "ConnectionClosed",
  "SocketTimeout",
  "TooManyConnections",
];

/** Returns the error of a statement, as a `DatabaseUnavailableError` if the server could not be reached. */
export function convertStatementError(error: unknown): unknown {
  return CONNECTION_CODES.includes((error as { code?: unknown } | null)?.code)
    ? new DatabaseUnavailableError()
    : convertDatabaseError(error);
}

/**
 * Returns a `ServiceUnavailableError` in place of errors of drivers, Prisma and KMS that mean it; other errors unchanged.
 */
export function convertDatabaseError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ServiceUnavailableError) return error;
  if (error instanceof KmsError) return new KeysUnavailableError();
  const { code, meta } = error as { code?: unknown; meta?: { driverAdapterError?: { cause?: { kind?: unknown } } } };
  const isUnavailable =
    ADAPTER_KINDS.includes(meta?.driverAdapterError?.cause?.kind) ||
    UNAVAILABLE_STATES.test(sqlStateOf(error) ?? "") ||
    DRIVER_MESSAGES.test(error.message) ||
    // Prisma waits for a free connection to start a transaction.
    (code === "P2028" && error.message.includes("Unable to start a transaction"));
  return isUnavailable ? new DatabaseUnavailableError() : error;
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
