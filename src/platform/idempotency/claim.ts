/** One answer for one Idempotency-Key (as Stripe and the Agentic Commerce Protocol do it). */
import { createHash } from "node:crypto";
import type { Prisma } from "../../../generated/prisma/client.ts";
import type { Database, Statement } from "../database/connection.ts";
import { InvalidRequestError, ServiceError } from "../errors.ts";
import type { Logger } from "../observability/logger.ts";

/** The key came before with another request. */
export class IdempotencyKeyReusedError extends ServiceError {
  readonly code = "idempotency_key_reused";
  readonly field = "idempotencyKey";
  constructor(message = "This Idempotency-Key was used for another request. Nothing was done.") {
    super(message);
  }
}

/** The first request with this key is still under way. */
export class IdempotencyInFlightError extends ServiceError {
  readonly code = "idempotency_in_flight";
  constructor() {
    super("The first request with this Idempotency-Key is still under way. Ask again shortly.");
  }
}

const MAX_KEY_LENGTH = 255;
/** A request whose process says nothing of it for this long is taken to be dead, and the next one with its key takes over. */
const LEASE_SECONDS = 150;
const RENEW_MS = 50_000;

/** When it was claimed tells a claim from a later one: it is compared wherever something is written, and an older one writes nothing. */
interface Claimed {
  readonly created_at: Date;
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
  name: "renew-idempotency-lease",
  text: `UPDATE idempotency_records SET leased_until = now() + interval '${LEASE_SECONDS} seconds'
    WHERE account_id = $1::uuid AND key = $2 AND created_at = $3 AND answer IS NULL RETURNING key`,
};

const READ: Statement = {
  name: "read-idempotency-record",
  text: `SELECT request_sha256 = $3 AS same_request, answer, created_at FROM idempotency_records
    WHERE account_id = $1::uuid AND key = $2`,
};

const ANSWER: Statement = {
  name: "answer-idempotency-record",
  text: `UPDATE idempotency_records SET answer = $4 WHERE account_id = $1::uuid AND key = $2 AND created_at = $3
    RETURNING key`,
};

const FORGET: Statement = {
  name: "forget-idempotency-record",
  text: `DELETE FROM idempotency_records
    WHERE account_id = $1::uuid AND key = $2 AND created_at = $3 AND answer IS NULL`,
};

/**
 * A claim on a key. `stored` is the earlier response. While it is null, do the work and `complete` the claim with its response, or
 * `discard` it after a failure. The lease is renewed while the process lives and reaches the database; otherwise it expires and the
 * next request with the key takes over.
 *
 * A process that was cut off for longer than its lease finds its key taken over. Its response does not replace the other's, and what
 * it did within the transaction of `completeWithin` is rolled back. Other effects may happen twice: the ledger's own keys ensure
 * one payment, and an order's digest one order, but a merchant or a model may receive the request twice.
 */
export interface IdempotencyClaim {
  readonly stored: object | null;
  /** @throws {IdempotencyInFlightError} another request has taken the key over */
  complete(answer: object): Promise<void>;
  /**
   * The same within a transaction, so that the work and its answer are kept together or not at all.
   * @throws {IdempotencyInFlightError} which must end the transaction
   */
  completeWithin(tx: Prisma.TransactionClient, answer: Prisma.InputJsonObject): Promise<void>;
  /** Never rejects. */
  discard(): Promise<void>;
}

/**
 * Claims `key` for a request of the account. `request` is whatever makes two requests the same.
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
  const claimOf = ({ created_at: createdAt }: Claimed) => ({
    async complete(answer: object) {
      const kept = await db.query(ANSWER, [accountId, key, createdAt, JSON.stringify(answer)]);
      if (kept.length === 0) throw new IdempotencyInFlightError();
    },
    async completeWithin(tx: Prisma.TransactionClient, answer: Prisma.InputJsonObject) {
      const { count } = await tx.idempotencyRecord.updateMany({
        where: { accountId, key, createdAt },
        data: { answer },
      });
      if (count === 0) throw new IdempotencyInFlightError();
    },
    renew: () => db.query(RENEW, [accountId, key, createdAt]),
    // A claim that cannot be discarded now expires with its lease.
    discard: () =>
      db.query(FORGET, [accountId, key, createdAt]).then(
        () => {},
        () => {},
      ),
  });
  const [claimed] = await db.query<Claimed>(CLAIM, [accountId, key, requestSha256]);
  if (claimed) return { stored: null, ...renewing(claimOf(claimed)) };
  const [row] = await db.query<Claimed & { same_request: boolean; answer: object | null }>(READ, [
    accountId,
    key,
    requestSha256,
  ]);
  // Forgotten between the two statements: the first request failed, so this one may ask again.
  if (!row) return await claimIdempotencyKey(db, accountId, key, request);
  if (!row.same_request) throw new IdempotencyKeyReusedError();
  if (row.answer === null) throw new IdempotencyInFlightError();
  return { stored: row.answer, ...claimOf(row) };
}

/** Renews the lease until the claim is completed or discarded. */
function renewing<Claim extends Omit<IdempotencyClaim, "stored"> & { renew(): Promise<object[]> }>(
  claim: Claim,
): Claim {
  const timer = setInterval(() => {
    // A renewal that fails is made good by the next; one that finds nothing comes after the answer, or after another took over.
    claim.renew().then(
      (rows) => void (rows.length > 0 || clearInterval(timer)),
      () => {},
    );
  }, RENEW_MS).unref();
  return {
    ...claim,
    async complete(answer) {
      try {
        // A second time, for a connection that was lost meanwhile is not the next one's fault.
        await claim.complete(answer).catch(() => claim.complete(answer));
      } finally {
        clearInterval(timer);
      }
    },
    async discard() {
      clearInterval(timer);
      await claim.discard();
    },
  };
}

/**
 * Keeps an answer that its caller gets in any case. Where that cannot be done the key is free for the same request, and the
 * ledger alone knows what was paid under it. Never rejects.
 */
export async function completeOrDiscard(claim: IdempotencyClaim, answer: object, logger: Logger): Promise<void> {
  try {
    await claim.complete(answer);
  } catch (error) {
    logger.error({ err: error }, "answer not kept for its Idempotency-Key");
    await claim.discard();
  }
}

/**
 * Runs `work` once for a key and answers the same ever after. A failure is not kept, nor an answer that is not `isFinal`:
 * both may be tried again.
 */
export async function runIdempotent<Answer extends object>(
  db: Database,
  accountId: string,
  key: string,
  request: unknown,
  work: () => Promise<Answer>,
  isFinal: (answer: Answer) => boolean = () => true,
): Promise<Answer> {
  const claim = await claimIdempotencyKey(db, accountId, key, request);
  if (claim.stored !== null) return claim.stored as Answer;
  try {
    const answer = await work();
    await (isFinal(answer) ? claim.complete(answer) : claim.discard());
    return answer;
  } catch (error) {
    await claim.discard();
    throw error;
  }
}
