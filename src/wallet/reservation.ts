/**
 * Reserving money: one statement that counts amounts against every limit, takes them from credit or holds them in the
 * wallet, and writes ledger rows, or changes nothing. It commits before any key is touched.
 */
import { createKeyedSemaphore } from "../platform/concurrency/keyed-semaphore.ts";
import type { Database, Statement } from "../platform/database/connection.ts";
import { SQLSTATE } from "../platform/database/errors.ts";
import { ServiceError } from "../platform/errors.ts";
import { newId } from "../platform/ids.ts";
import { throwRefusalReason } from "./refusal-reason.ts";
import { type Asked, createReservationQueue, type ReservationQueue } from "./reservation-queue.ts";
import type { Reservation } from "./reservation-terms.ts";
import { RESERVE_MANY, RESERVE_ONE, reserveParameters } from "./reserve-statement.ts";

/** The ledger has a row for this idempotency key already. */
export class DuplicateReservationError extends Error {
  constructor() {
    super("The Idempotency-Key already has a payment. Nothing was reserved.");
  }
}

/** The one-time purchase token has a payment that is outstanding or settled, and makes no second one (spec section 3.1). */
export class PurchaseTokenUsedError extends ServiceError {
  readonly code = "purchase_token_used";
  constructor() {
    super(
      "This one-time purchase token has made its payment. No more money moved. That payment's Idempotency-Key gives its answer again.",
    );
  }
}

/** Another permit of this wallet and asset is outstanding. */
export class PermitSlotTakenError extends Error {
  constructor() {
    super("The wallet cannot sign another permit for the asset now. Nothing was reserved.");
  }
}

const MAX_ATTEMPTS = 5;

/**
 * Reserves. Answers the ledger row's id, committed. What many ask for at the same moment goes as one statement; one that
 * does not fit with the others, or whose account is busy, goes by itself.
 * @throws {SpendingLimitExceededError | InsufficientBalanceError} with the figures behind it
 * @throws {DuplicateReservationError | PurchaseTokenUsedError | PermitSlotTakenError | StaleBalanceError | X402TurnedOffError}
 */
export async function reserve(db: Database, reservation: Reservation): Promise<string> {
  return await queueOf(db).reserve(reservation);
}

const queues = new WeakMap<Database, ReservationQueue>();

function queueOf(db: Database): ReservationQueue {
  let queue = queues.get(db);
  if (!queue) {
    queue = createReservationQueue({
      one: (reservation) => reserveOne(db, reservation),
      many: (asked) => insert(db, RESERVE_MANY, asked),
    });
    queues.set(db, queue);
  }
  return queue;
}

/** They wait for the account's row, by account. */
const withPermit = createKeyedSemaphore();

async function reserveOne(db: Database, reservation: Reservation): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const id = newId("tx");
    try {
      const reserved = await withPermit(reservation.accountId, () => insert(db, RESERVE_ONE, [{ id, reservation }]));
      if (reserved.has(id)) return id;
      await throwRefusalReason(db, reservation);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === SQLSTATE.uniqueViolation) throw takenBy((error as { constraint?: string }).constraint ?? "");
      if (code === SQLSTATE.reservationRefused) await throwRefusalReason(db, reservation);
      else if (code !== SQLSTATE.deadlockDetected) throw error;
      // Either two nodes locked the same rows crosswise, or what stood in the way has just been given back: again.
      if (attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** What there may be only one of, and is already; by the index alone, for the rest of the error repeats the caller's key. */
function takenBy(constraint: string): Error {
  if (constraint.includes("purchase_token_id")) return new PurchaseTokenUsedError();
  return constraint.includes("permit_slot") ? new PermitSlotTakenError() : new DuplicateReservationError();
}

/** Answers the ids reserved, committed: all of accounts that could be locked. */
async function insert(db: Database, statement: Statement, asked: readonly Asked[]): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(statement, reserveParameters(asked));
  return new Set(rows.map(({ id }) => id));
}
