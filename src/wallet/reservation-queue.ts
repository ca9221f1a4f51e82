/** Gathers reservations: those that come while others are being committed go together, as one statement and one flush. */
import { LRUCache } from "lru-cache";
import { isRolledBack } from "../platform/database/errors.ts";
import { newId } from "../platform/ids.ts";
import type { Reservation } from "./reservation-terms.ts";

/** A reservation with the id that its ledger row will have. */
export interface Asked {
  readonly id: string;
  readonly reservation: Reservation;
}

export interface ReservationQueue {
  /** Answers the ledger row's id, committed. @throws whatever `one` throws. */
  reserve(reservation: Reservation): Promise<string>;
}

export interface ReservationStatements {
  /** Reserves one, however long that takes, or says why not. */
  one(reservation: Reservation): Promise<string>;
  /** Reserves all or nothing, but for accounts that are busy elsewhere. Answers the ids reserved, committed. */
  many(asked: readonly Asked[]): Promise<ReadonlySet<string>>;
}

interface Waiting extends Asked {
  resolve(id: string | Promise<string>): void;
  reject(error: unknown): void;
}

const MAX_STATEMENTS = 2;
const MAX_BATCH = 32;
/** Who has just been refused would only undo what others ask for at the same time, and goes alone for a while. */
const ALONE_FOR_MS = 10_000;
const REMEMBERED_ACCOUNTS = 10_000;

export function createReservationQueue(statements: ReservationStatements): ReservationQueue {
  const refused = new LRUCache<string, true>({ max: REMEMBERED_ACCOUNTS, ttl: ALONE_FOR_MS });
  /** Accounts in a statement under way: what they ask for next waits, rather than finding itself busy. */
  const underWay = new Set<string>();
  let waiting: Waiting[] = [];
  let running = 0;
  let isScheduled = false;

  const alone = (reservation: Reservation): Promise<string> => {
    const reserving = statements.one(reservation);
    reserving.catch(() => refused.set(reservation.accountId, true));
    return reserving;
  };

  /** After the present turn of the event loop, so that what is asked for in it goes together. */
  const schedule = () => {
    if (isScheduled || running >= MAX_STATEMENTS || waiting.length === 0) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      const batch: Waiting[] = [];
      const rest: Waiting[] = [];
      for (const one of waiting) {
        const isFree = batch.length < MAX_BATCH && !underWay.has(one.reservation.accountId);
        (isFree ? batch : rest).push(one);
      }
      if (batch.length === 0) return;
      waiting = rest;
      void run(batch);
      schedule();
    });
  };

  const run = async (batch: readonly Waiting[]) => {
    const accountIds = new Set(batch.map(({ reservation }) => reservation.accountId));
    for (const accountId of accountIds) underWay.add(accountId);
    running++;
    try {
      const done = await statements.many(batch);
      for (const { id, reservation, resolve } of batch) resolve(done.has(id) ? id : alone(reservation));
    } catch (error) {
      // Sent again after an unknown outcome, a reservation might be made twice.
      const isUndone = isRolledBack(error);
      for (const { reservation, resolve, reject } of batch) {
        if (isUndone) resolve(alone(reservation));
        else reject(error);
      }
    } finally {
      running--;
      for (const accountId of accountIds) underWay.delete(accountId);
      schedule();
    }
  };

  return {
    reserve(reservation) {
      if (refused.has(reservation.accountId)) return alone(reservation);
      return new Promise((resolve, reject) => {
        waiting.push({ id: newId("tx"), reservation, resolve, reject });
        schedule();
      });
    },
  };
}
