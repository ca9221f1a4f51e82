/** Batches reservations: those that arrive while others commit share one statement and one disk flush. */
import { LRUCache } from "lru-cache";
import { isRolledBack } from "../platform/database/errors.ts";
import { newId } from "../platform/ids.ts";
import type { Reservation } from "./reservation-terms.ts";

/** A reservation with the id of its future ledger row. */
export interface RequestedReservation {
  readonly id: string;
  readonly reservation: Reservation;
}

export interface ReservationQueue {
  /** Reserves and commits. Returns the id of the ledger row. @throws the errors of `reserveOne`. */
  reserve(reservation: Reservation): Promise<string>;
}

export interface ReservationStatements {
  /** Reserves one, waiting for the account's row lock. @throws the reason for a refusal. */
  reserveOne(reservation: Reservation): Promise<string>;
  /**
   * Reserves all or none, except for those it skips: of locked accounts, and of requests that continue an earlier payment or lost
   * their key. Returns the committed ids.
   */
  reserveBatch(reservations: readonly RequestedReservation[]): Promise<ReadonlySet<string>>;
}

interface QueuedReservation extends RequestedReservation {
  resolve(id: string | Promise<string>): void;
  reject(error: unknown): void;
}

const MAX_STATEMENTS = 2;
const MAX_BATCH = 32;
/** After a refusal the account bypasses batches for this time: another refusal would roll back the whole batch. */
const SEPARATE_FOR_MS = 10_000;
const MAX_TRACKED_ACCOUNTS = 10_000;

export function createReservationQueue(statements: ReservationStatements): ReservationQueue {
  const recentlyRefused = new LRUCache<string, true>({ max: MAX_TRACKED_ACCOUNTS, ttl: SEPARATE_FOR_MS });
  /** Accounts in a pending statement. Their next reservations wait here because a batch would skip the locked account. */
  const busyAccounts = new Set<string>();
  let queued: QueuedReservation[] = [];
  let runningStatements = 0;
  let isScheduled = false;

  const reserveSeparately = (reservation: Reservation): Promise<string> => {
    const reserving = statements.reserveOne(reservation);
    reserving.catch(() => recentlyRefused.set(reservation.accountId, true));
    return reserving;
  };

  /** Starts a batch after the current event loop iteration, with all reservations of that iteration. */
  const schedule = () => {
    if (isScheduled || runningStatements >= MAX_STATEMENTS || queued.length === 0) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      const batch: QueuedReservation[] = [];
      const rest: QueuedReservation[] = [];
      for (const entry of queued) {
        const isFree = batch.length < MAX_BATCH && !busyAccounts.has(entry.reservation.accountId);
        (isFree ? batch : rest).push(entry);
      }
      if (batch.length === 0) return;
      queued = rest;
      void runBatch(batch);
      schedule();
    });
  };

  const runBatch = async (batch: readonly QueuedReservation[]) => {
    const accountIds = new Set(batch.map(({ reservation }) => reservation.accountId));
    for (const accountId of accountIds) busyAccounts.add(accountId);
    runningStatements++;
    try {
      const reservedIds = await statements.reserveBatch(batch);
      // A refusal after a skip does not bypass later batches, since it rolled nothing back.
      for (const { id, reservation, resolve } of batch)
        resolve(reservedIds.has(id) ? id : statements.reserveOne(reservation));
    } catch (error) {
      // After an unknown outcome a retry could reserve twice.
      const wasRolledBack = isRolledBack(error);
      for (const { reservation, resolve, reject } of batch) {
        if (wasRolledBack) resolve(reserveSeparately(reservation));
        else reject(error);
      }
    } finally {
      runningStatements--;
      for (const accountId of accountIds) busyAccounts.delete(accountId);
      schedule();
    }
  };

  return {
    reserve(reservation) {
      if (recentlyRefused.has(reservation.accountId)) return reserveSeparately(reservation);
      return new Promise((resolve, reject) => {
        queued.push({ id: newId("tx"), reservation, resolve, reject });
        schedule();
      });
    },
  };
}
