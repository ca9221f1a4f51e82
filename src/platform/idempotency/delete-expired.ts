/** Expiry of idempotency records. Clients retry soon; later, the ledger's own keys still prevent a second payment. */
import type { Database, Statement } from "../database/connection.ts";

/** Small, because a response may have 256 KiB. */
const BATCH = 500;

/** `leased_until` is never before `created_at`; the condition on `created_at` only makes the statement use its index. */
const DELETE: Statement = {
  name: "delete-old-idempotency-records",
  text: `DELETE FROM idempotency_records WHERE (account_id, key) IN (
    SELECT account_id, key FROM idempotency_records
    WHERE created_at < now() - interval '24 hours' AND leased_until < now() - interval '24 hours'
    ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING key`,
};

/** Recurring job: deletes records one day after their lease ended, whether completed or abandoned. */
export async function deleteExpiredResponses(db: Database): Promise<void> {
  while ((await db.query(DELETE, [])).length === BATCH);
}
