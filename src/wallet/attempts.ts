/**
 * Attempts to get the response to a proxied request that was paid for, without an idempotency key. A payment has at most one
 * attempt at a time. It holds a lease on the ledger row and renews it. After an attempt that ended without a definitive response,
 * or whose process died, an equal request continues the payment. It sends the same signed bytes, while they are valid.
 *
 * The number of the attempt is a fencing token. An attempt that lost its lease to another no longer changes the row.
 */
import { isHeldOpen } from "../accounts/freeze/freeze-state.ts";
import type { Database, Statement } from "../platform/database/connection.ts";
import { createLeaseRenewal } from "../platform/database/lease-renewal.ts";
import { retryDeadlocks } from "../platform/database/retry-deadlocks.ts";

/** An attempt without renewal for this time has ended. Until then an equal request is another purchase, as for two concurrent ones. */
export const ATTEMPT_LEASE = "5 seconds";
const RENEW_EVERY_MS = 1_500;

/** Maximum validity of a Solana blockhash, which is 150 blocks. A settled payment is continued for no longer. */
const BLOCKHASH_VALIDITY = "90 seconds";

/**
 * SQL condition on a ledger row `t`: an equal request may continue its payment. An open Solana payment has no expiry. The seller can
 * redeem it until the chain proves the opposite and the row is released.
 */
export const IS_RESUMABLE = `t.attempt_until <= now()
    AND t.status IN ('reserved', 'signed', 'settled')
    AND CASE WHEN t.valid_before IS NULL AND t.status <> 'settled' THEN true
      ELSE coalesce(t.valid_before, t.created_at + interval '${BLOCKHASH_VALIDITY}') > now() END`;

/** One attempt for one payment. */
export interface Attempt {
  /** The id of the ledger row. */
  readonly id: string;
  readonly number: number;
}

const FIND: Statement = {
  name: "find-resumable-payment",
  text: `SELECT t.id FROM transactions t WHERE t.request_sha256 = $1 AND ${IS_RESUMABLE} ORDER BY t.created_at LIMIT 1`,
};

/** Returns the id of the oldest payment that an equal request may continue; null if there is none. */
export async function findResumable(db: Database, requestSha256: Uint8Array): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(FIND, [requestSha256]);
  return row?.id ?? null;
}

const TAKE_OVER: Statement = {
  name: "take-over-attempt",
  text: `UPDATE transactions t SET attempt = t.attempt + 1, attempt_until = now() + interval '${ATTEMPT_LEASE}'
    WHERE t.id = $1 AND t.request_sha256 IS NOT NULL AND ${IS_RESUMABLE} AND ${isHeldOpen("t.account_id")} RETURNING t.attempt`,
};

/** Begins the next attempt of a payment. Returns null if another request began it before, the account is frozen, or the payment can no longer continue. */
export async function takeOverAttempt(db: Database, id: string): Promise<Attempt | null> {
  const [row] = await retryDeadlocks(() => db.query<{ attempt: number }>(TAKE_OVER, [id]));
  return row ? { id, number: row.attempt } : null;
}

const RENEW: Statement = {
  name: "renew-attempts",
  text: `UPDATE transactions t SET attempt_until = now() + interval '${ATTEMPT_LEASE}'
    FROM unnest($1::text[], $2::int[]) AS u (id, attempt) WHERE t.id = u.id AND t.attempt = u.attempt RETURNING t.id`,
};

const END: Statement = {
  name: "end-attempts",
  text: `UPDATE transactions t SET attempt_until = now(), request_sha256 = CASE WHEN NOT $3::boolean THEN t.request_sha256 END
    FROM unnest($1::text[], $2::int[]) AS u (id, attempt)
    WHERE t.id = u.id AND t.attempt = u.attempt RETURNING t.id`,
};

/** Ends attempts in one statement. Returns the ids of those that no other request continues already. */
async function endAttempts(
  db: Database,
  attempts: readonly Attempt[],
  isDefinitive: boolean,
): Promise<ReadonlySet<string>> {
  const parameters = [attempts.map(({ id }) => id), attempts.map(({ number }) => number), isDefinitive];
  const rows = await retryDeadlocks(() => db.query<{ id: string }>(END, parameters));
  return new Set(rows.map(({ id }) => id));
}

/**
 * Ends an attempt. After a definitive end no request can continue the payment.
 * @returns false if another request continues the payment already; the row is then unchanged
 */
export async function endAttempt(db: Database, attempt: Attempt, isDefinitive: boolean): Promise<boolean> {
  return (await endAttempts(db, [attempt], isDefinitive)).has(attempt.id);
}

/**
 * Ends after delivered responses are collected for this time, since one flush to disk for each payment is expensive. Meanwhile no
 * request can take over the lease, so an equal request is a new purchase already.
 */
const COLLECT_MS = 100;

/** The attempts of this process. */
export interface AttemptLeases {
  /** Renews the lease until the attempt ends. */
  begin(attempt: Attempt): void;
  /** Ends the renewal without a change of the row. */
  stop(attempt: Attempt): void;
  /**
   * Ends an attempt and commits. After a definitive response an equal request is a new purchase, otherwise it continues the payment.
   * If the row cannot be changed, the lease expires. Never rejects.
   */
  end(attempt: Attempt, isDefinitive: boolean): Promise<void>;
  /** Ends an attempt whose response was delivered, in a statement that it shares with those of the next 100 ms. */
  endDelivered(attempt: Attempt): void;
  /** Commits the ends that are still collected. For the shutdown. */
  flush(): Promise<void>;
}

export function createAttemptLeases(db: Database): AttemptLeases {
  const renewal = createLeaseRenewal<Attempt>(RENEW_EVERY_MS, async (attempts) => {
    const parameters = [attempts.map(({ id }) => id), attempts.map(({ number }) => number)];
    const renewed = await db.query<{ id: string }>(RENEW, parameters);
    const ids = new Set(renewed.map(({ id }) => id));
    return attempts.filter(({ id }) => !ids.has(id));
  });
  let delivered: Attempt[] = [];
  const commitDelivered = async (): Promise<void> => {
    const ended = delivered;
    delivered = [];
    if (ended.length > 0) await endAttempts(db, ended, true).catch(() => {});
  };
  return {
    begin: (attempt) => renewal.add(attempt),
    stop: (attempt) => renewal.delete(attempt),
    async end(attempt, isDefinitive) {
      renewal.delete(attempt);
      await endAttempt(db, attempt, isDefinitive).catch(() => {});
    },
    endDelivered(attempt) {
      renewal.delete(attempt);
      delivered.push(attempt);
      if (delivered.length === 1) setTimeout(commitDelivered, COLLECT_MS).unref();
    },
    flush: commitDelivered,
  };
}
