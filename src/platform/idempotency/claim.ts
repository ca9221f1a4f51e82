/** Idempotency keys: one response per key, as in Stripe's API and the Agentic Commerce Protocol. */
import { createHash } from "node:crypto";
import type { Prisma } from "../../../generated/prisma/client.ts";
import type { Database, Statement } from "../database/connection.ts";
import { createLeaseRenewal, type LeaseRenewal } from "../database/lease-renewal.ts";
import { InvalidRequestError, ServiceError } from "../errors.ts";
import type { Logger } from "../observability/logger.ts";

/** The key was used for another request. */
export class IdempotencyKeyReusedError extends ServiceError {
  readonly code = "idempotency_key_reused";
  readonly field = "idempotencyKey";
  constructor(message = "This Idempotency-Key was used for another request. Nothing was done.") {
    super(message);
  }
}

/** The first request with this key is still in flight. */
export class IdempotencyInFlightError extends ServiceError {
  readonly code = "idempotency_in_flight";
  constructor(
    message = "The first request with this Idempotency-Key is still in flight. Retry with the same key in a few seconds to get its result.",
  ) {
    super(message);
  }
}

const MAX_KEY_LENGTH = 255;
/** Without a renewal for this long, the request counts as failed, and the next request acquires its key. */
const LEASE_SECONDS = 10;
const RENEW_MS = 3_000;

/** `created_at` identifies the claim: every write compares it, so an older claim writes nothing. */
interface Claimed {
  readonly created_at: Date;
}

/** Fencing token of a claim. A reservation with it is made only while the claim holds its key (`reserve-statement.ts`). */
export interface ClaimFence {
  readonly key: string;
  readonly createdAt: Date;
}

const CLAIM: Statement = {
  name: "claim-idempotency-key",
  text: `INSERT INTO idempotency_records AS r (account_id, key, request_sha256, leased_until)
    VALUES ($1::uuid, $2, $3, now() + interval '${LEASE_SECONDS} seconds')
    ON CONFLICT (account_id, key) DO UPDATE SET leased_until = excluded.leased_until,
      created_at = greatest(excluded.created_at, r.created_at + interval '1 millisecond')
      WHERE r.answer IS NULL AND r.leased_until < now() AND r.request_sha256 = excluded.request_sha256
    RETURNING r.created_at`,
};

const RENEW: Statement = {
  name: "renew-idempotency-leases",
  text: `UPDATE idempotency_records r SET leased_until = now() + interval '${LEASE_SECONDS} seconds'
    FROM unnest($1::uuid[], $2::text[], $3::timestamptz[]) WITH ORDINALITY AS u (account_id, key, created_at, position)
    WHERE r.account_id = u.account_id AND r.key = u.key AND r.created_at = u.created_at AND r.answer IS NULL
    RETURNING u.position::int AS position`,
};

const READ: Statement = {
  name: "read-idempotency-record",
  text: `SELECT request_sha256 = $3 AS same_request, answer, created_at FROM idempotency_records
    WHERE account_id = $1::uuid AND key = $2`,
};

const COMPLETE: Statement = {
  name: "answer-idempotency-record",
  text: `UPDATE idempotency_records SET answer = $4 WHERE account_id = $1::uuid AND key = $2 AND created_at = $3
    RETURNING key`,
};

const DISCARD: Statement = {
  name: "forget-idempotency-record",
  text: `DELETE FROM idempotency_records
    WHERE account_id = $1::uuid AND key = $2 AND created_at = $3 AND answer IS NULL`,
};

const IS_HELD: Statement = {
  name: "is-idempotency-claim-held",
  text: `SELECT key FROM idempotency_records
    WHERE account_id = $1::uuid AND key = $2 AND created_at = $3 AND answer IS NULL`,
};

/** Returns whether the claim still has its key: no other request acquired it, and it is not completed or discarded. */
export async function isClaimHeld(db: Database, accountId: string, { key, createdAt }: ClaimFence): Promise<boolean> {
  return (await db.query(IS_HELD, [accountId, key, createdAt])).length > 0;
}

/**
 * A claim on a key. `stored` is the earlier response. If it is null, do the work and `complete` the claim with its response,
 * or `discard` it after a failure. The lease is renewed while the process runs and can reach the database. Otherwise it
 * expires, and the next request with the key acquires it.
 *
 * If a process is stalled or disconnected for longer than its lease, another request may acquire the key. The first request then
 * writes nothing: it stores no response, reserves no money with its `fence`, and the transaction of `completeWithin` is rolled
 * back. An order's digest ensures one order. A merchant or a model may receive the request twice.
 */
export interface IdempotencyClaim {
  readonly stored: object | null;
  readonly fence: ClaimFence;
  /** @throws {IdempotencyInFlightError} another request has acquired the key */
  complete(response: object): Promise<void>;
  /**
   * Completes the claim in a transaction, so the work and its response are committed together.
   *
   * @throws {IdempotencyInFlightError} another request has acquired the key; the transaction must roll back
   */
  completeWithin(tx: Prisma.TransactionClient, response: Prisma.InputJsonObject): Promise<void>;
  /** Never rejects. */
  discard(): Promise<void>;
}

/**
 * Claims `key` for a request of the account.
 * @param request the value that is equal for equal requests
 * @throws {IdempotencyKeyReusedError | IdempotencyInFlightError | InvalidRequestError}
 */
export async function claimIdempotencyKey(
  db: Database,
  accountId: string,
  key: string,
  request: unknown,
): Promise<IdempotencyClaim> {
  if (key.length > MAX_KEY_LENGTH || !/^[\x21-\x7e]+$/.test(key)) {
    throw new InvalidRequestError(
      `Idempotency-Key must be 1 to ${MAX_KEY_LENGTH} printable ASCII characters without spaces.`,
      "idempotencyKey",
    );
  }
  const requestSha256 = new Uint8Array(createHash("sha256").update(JSON.stringify(request)).digest());
  return await claimKey(db, accountId, key, requestSha256);
}

/**
 * Claims a key that the service derives from a request.
 * @param key contains a space, which no client's key does
 * @throws {IdempotencyInFlightError}
 */
export async function claimDerivedKey(db: Database, accountId: string, key: string): Promise<IdempotencyClaim> {
  return await claimKey(db, accountId, key, new Uint8Array());
}

async function claimKey(
  db: Database,
  accountId: string,
  key: string,
  requestSha256: Uint8Array,
): Promise<IdempotencyClaim> {
  const claimOf = ({ created_at: createdAt }: Claimed) => ({
    fence: { key, createdAt },
    async complete(response: object) {
      const updated = await db.query(COMPLETE, [accountId, key, createdAt, JSON.stringify(response)]);
      if (updated.length === 0) throw new IdempotencyInFlightError();
    },
    async completeWithin(tx: Prisma.TransactionClient, response: Prisma.InputJsonObject) {
      const { count } = await tx.idempotencyRecord.updateMany({
        where: { accountId, key, createdAt },
        data: { answer: response },
      });
      if (count === 0) throw new IdempotencyInFlightError();
    },
    // A claim that cannot be discarded now expires with its lease.
    discard: () =>
      db.query(DISCARD, [accountId, key, createdAt]).then(
        () => {},
        () => {},
      ),
  });
  const [claimed] = await db.query<Claimed>(CLAIM, [accountId, key, requestSha256]);
  if (claimed) return { stored: null, ...startRenewal(db, accountId, claimOf(claimed)) };
  const [row] = await db.query<Claimed & { same_request: boolean; answer: object | null }>(READ, [
    accountId,
    key,
    requestSha256,
  ]);
  // The record was deleted between the two statements: the first request failed, so this one claims the key.
  if (!row) return await claimKey(db, accountId, key, requestSha256);
  if (!row.same_request) throw new IdempotencyKeyReusedError();
  if (row.answer === null) throw new IdempotencyInFlightError();
  return { stored: row.answer, ...claimOf(row) };
}

interface Lease extends ClaimFence {
  readonly accountId: string;
}

const renewals = new WeakMap<Database, LeaseRenewal<Lease>>();

function getRenewal(db: Database): LeaseRenewal<Lease> {
  let renewal = renewals.get(db);
  if (!renewal) {
    renewal = createLeaseRenewal<Lease>(RENEW_MS, async (leases) => {
      const parameters = [
        leases.map(({ accountId }) => accountId),
        leases.map(({ key }) => key),
        leases.map(({ createdAt }) => createdAt),
      ];
      const renewed = await db.query<{ position: number }>(RENEW, parameters);
      const positions = new Set(renewed.map(({ position }) => position));
      return leases.filter((_lease, index) => !positions.has(index + 1));
    });
    renewals.set(db, renewal);
  }
  return renewal;
}

/** Renews the lease until the claim is completed or discarded. */
function startRenewal(
  db: Database,
  accountId: string,
  claim: Omit<IdempotencyClaim, "stored">,
): Omit<IdempotencyClaim, "stored"> {
  const renewal = getRenewal(db);
  const lease = { accountId, ...claim.fence };
  renewal.add(lease);
  return {
    ...claim,
    async complete(response) {
      try {
        // Retried once: the pooled connection may have been lost since its last use.
        await claim.complete(response).catch(() => claim.complete(response));
      } finally {
        renewal.delete(lease);
      }
    },
    async discard() {
      renewal.delete(lease);
      await claim.discard();
    },
  };
}

/**
 * Stores the response of a claim; the caller sends the response in any case. If that fails, the claim is discarded, and only the
 * ledger prevents a second payment under the key. Never rejects.
 */
export async function completeOrDiscard(claim: IdempotencyClaim, response: object, logger: Logger): Promise<void> {
  try {
    await claim.complete(response);
  } catch (error) {
    logger.error({ err: error }, "Response not stored for its Idempotency-Key");
    await claim.discard();
  }
}

/**
 * Runs `work` once per key and returns its stored response afterwards. A failure, or a response that is not `isFinal`, is
 * not stored and may be retried.
 */
export async function runIdempotent<Result extends object>(
  db: Database,
  accountId: string,
  key: string,
  request: unknown,
  work: (fence: ClaimFence) => Promise<Result>,
  isFinal: (response: Result) => boolean = () => true,
): Promise<Result> {
  const claim = await claimIdempotencyKey(db, accountId, key, request);
  if (claim.stored !== null) return claim.stored as Result;
  try {
    const response = await work(claim.fence);
    await (isFinal(response) ? claim.complete(response) : claim.discard());
    return response;
  } catch (error) {
    await claim.discard();
    throw error;
  }
}
