/** Operations without an idempotency key that must not be executed again by a client that reconnects. */
import type { Database, Statement } from "../database/connection.ts";
import { ServiceError } from "../errors.ts";
import type { RateLimiter } from "../rate-limit.ts";

/** The client sent an operation again whose first execution did not end, or whose connection was lost. */
export class OperationRepeatedError extends ServiceError {
  readonly code = "operation_repeated";
  constructor() {
    super(
      "This operation was received before, and its connection ended before its result. It was not executed again. Check the outcome of the first execution. Pass a new idempotencyKey to execute it again.",
    );
  }
}

/** Claims of one account that may remain for a day; more would let one account fill the table. */
export const REMAINING_CLAIMS_PER_DAY = 100_000;
export const CLAIM_QUOTA_BUCKET = "operation-claims";
const DAY_SECONDS = 86_400;

/** `answer` is set, so the record does not expire with its lease: it remains for a day, also after a crash. */
const CLAIM: Statement = {
  name: "claim-single-use",
  text: `INSERT INTO idempotency_records (account_id, key, request_sha256, answer, leased_until)
    VALUES ($1::uuid, $2, ''::bytea, '{"isGone": true}', now()) ON CONFLICT DO NOTHING RETURNING key`,
};

const RELEASE: Statement = {
  name: "release-single-use",
  text: "DELETE FROM idempotency_records WHERE account_id = $1::uuid AND key = $2",
};

/** The claim of an operation. A claim that does not remain must be released at the operation's end. */
export interface SingleUseClaim {
  readonly canRemain: boolean;
  /** Permits the operation again. Never rejects. */
  release(): Promise<void>;
}

/**
 * Claims an operation of the account.
 *
 * @param operation a text that is equal for the same operation
 * @throws {OperationRepeatedError}
 */
export async function claimSingleUse(
  { db, rateLimiter }: { readonly db: Database; readonly rateLimiter: RateLimiter },
  accountId: string,
  operation: string,
): Promise<SingleUseClaim> {
  // Clients' idempotency keys have no space, so the two never collide.
  const key = `single-use ${operation}`;
  const claimed = await db.query(CLAIM, [accountId, key]);
  if (claimed.length === 0) throw new OperationRepeatedError();
  const counted = rateLimiter.consume(CLAIM_QUOTA_BUCKET, accountId, REMAINING_CLAIMS_PER_DAY, DAY_SECONDS);
  return {
    canRemain: await counted.then(
      () => true,
      () => false,
    ),
    // A claim that cannot be released now expires after a day.
    release: () =>
      db.query(RELEASE, [accountId, key]).then(
        () => {},
        () => {},
      ),
  };
}
