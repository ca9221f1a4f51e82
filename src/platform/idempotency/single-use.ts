/** Operations without an idempotency key that must not be executed again by a client that reconnects. */
import type { Database, Statement } from "../database/connection.ts";
import { ServiceError } from "../errors.ts";

/** The client sent an operation again whose first execution did not end, or whose connection was lost. */
export class OperationRepeatedError extends ServiceError {
  readonly code = "operation_repeated";
  constructor() {
    super(
      "This operation was received before, and its connection ended before its result. It was not executed again. Check the outcome of the first execution. Pass a new idempotencyKey to execute it again.",
    );
  }
}

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

/**
 * Claims an operation of the account.
 *
 * @param operation a text that is equal for the same operation
 * @returns a claim that is released to permit the operation again
 * @throws {OperationRepeatedError}
 */
export async function claimSingleUse(
  db: Database,
  accountId: string,
  operation: string,
): Promise<{ release(): Promise<void> }> {
  // Clients' idempotency keys have no space, so the two never collide.
  const key = `single-use ${operation}`;
  const claimed = await db.query(CLAIM, [accountId, key]);
  if (claimed.length === 0) throw new OperationRepeatedError();
  return {
    // A claim that cannot be released now expires after a day.
    release: () =>
      db.query(RELEASE, [accountId, key]).then(
        () => {},
        () => {},
      ),
  };
}
