/** What a client repeats, it repeats soon. Afterwards the ledger's own keys still see to it that nothing is paid twice. */
import type { Database, Statement } from "../database/connection.ts";

/** Few at a time: an answer may have a quarter of a megabyte. */
const BATCH = 500;

/** No row is younger than its lease says, so that the condition on `created_at` only finds them by their index. */
const DELETE: Statement = {
  name: "delete-old-idempotency-records",
  text: `DELETE FROM idempotency_records WHERE (account_id, key) IN (
    SELECT account_id, key FROM idempotency_records
    WHERE created_at < now() - interval '24 hours' AND leased_until < now() - interval '24 hours'
    ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING key`,
};

/** Deletes answers a day after they were kept, and claims whose holder died as long ago; a repeated job. */
export async function deleteExpiredResponses(db: Database): Promise<void> {
  while ((await db.query(DELETE, [])).length === BATCH);
}
