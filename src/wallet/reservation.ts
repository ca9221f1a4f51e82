/**
 * Reservation of money. One statement counts the amounts against every limit, charges credit or places holds on wallets, and
 * inserts the ledger rows, or it changes nothing. It commits before any private key is used.
 */
import { createKeyedSemaphore } from "../platform/concurrency/keyed-semaphore.ts";
import type { Database, Statement } from "../platform/database/connection.ts";
import { SQLSTATE } from "../platform/database/errors.ts";
import { ServiceError } from "../platform/errors.ts";
import { newId } from "../platform/ids.ts";
import { carryOverPermits } from "./carry-over.ts";
import { throwRefusalReason } from "./refusal-reason.ts";
import { createReservationQueue, type RequestedReservation, type ReservationQueue } from "./reservation-queue.ts";
import type { Reservation } from "./reservation-terms.ts";
import { RESERVE_MANY, RESERVE_ONE, reserveParameters } from "./reserve-statement.ts";

/** The ledger already has a row with this idempotency key. */
export class DuplicateReservationError extends Error {
  constructor() {
    super("The Idempotency-Key already has a payment. Nothing was reserved.");
  }
}

/** The one-time purchase token already has an outstanding or settled payment and allows no second one (spec section 3.1). */
export class PurchaseTokenUsedError extends ServiceError {
  readonly code = "purchase_token_used";
  constructor() {
    super(
      "This one-time purchase token has made its payment. No further payment was made. Repeat that payment's Idempotency-Key to get its response again.",
    );
  }
}

/** Another EIP-2612 permit of this wallet and asset is outstanding. */
export class PermitSlotInUseError extends Error {
  constructor() {
    super("Another permit of the wallet for this asset is outstanding. Nothing was reserved. Retry after it settles.");
  }
}

const MAX_ATTEMPTS = 5;

/**
 * Reserves money and commits. Returns the id of the ledger row. Concurrent reservations are batched into one statement. A
 * reservation that the batch rejects, or whose account is locked, is retried alone.
 *
 * @throws {SpendingLimitExceededError | InsufficientBalanceError} with the amounts
 * @throws {DuplicateReservationError | PurchaseTokenUsedError | PermitSlotInUseError | StaleBalanceError | X402TurnedOffError |
 *   ResumablePaymentError}
 */
export async function reserve(db: Database, reservation: Reservation): Promise<string> {
  return await getQueue(db).reserve(reservation);
}

const queues = new WeakMap<Database, ReservationQueue>();

function getQueue(db: Database): ReservationQueue {
  let queue = queues.get(db);
  if (!queue) {
    queue = createReservationQueue({
      reserveOne: (reservation) => reserveOne(db, reservation),
      reserveBatch: (requested) => insert(db, RESERVE_MANY, requested),
    });
    queues.set(db, queue);
  }
  return queue;
}

/** Limits the reservations of one account that wait for its row lock, each with a pooled connection. */
const limitByAccount = createKeyedSemaphore();

async function reserveOne(db: Database, reservation: Reservation): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const id = newId("tx");
    try {
      const reserved = await limitByAccount(reservation.accountId, () =>
        insert(db, RESERVE_ONE, [{ id, reservation }]),
      );
      if (reserved.has(id)) return id;
      await throwRefusalReason(db, reservation);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === SQLSTATE.uniqueViolation)
        throw toUniqueViolationError((error as { constraint?: string }).constraint ?? "");
      if (code === SQLSTATE.reservationRefused) {
        // The first reservation of a day waits for the carry-over.
        if ((await carryOverPermits(db, reservation.accountId)) > 0) continue;
        await throwRefusalReason(db, reservation);
      } else if (code !== SQLSTATE.deadlockDetected) throw error;
      // Retry after a deadlock with another node, or when the obstacle was released before the reason was read.
      if (attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/**
 * Returns the error for a unique violation. It uses only the name of the index, because the detail of the database error
 * contains the caller's idempotency key.
 */
function toUniqueViolationError(constraint: string): Error {
  if (constraint.includes("purchase_token_id")) return new PurchaseTokenUsedError();
  return constraint.includes("permit_slot") ? new PermitSlotInUseError() : new DuplicateReservationError();
}

/** Executes the statement and returns the committed ids: all reservations whose account could be locked. */
async function insert(
  db: Database,
  statement: Statement,
  requested: readonly RequestedReservation[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(statement, reserveParameters(requested));
  return new Set(rows.map(({ id }) => id));
}
