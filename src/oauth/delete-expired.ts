/** Deletion of expired authorization requests, codes and tokens. */
import type { Database, Statement } from "../platform/database/connection.ts";
import { USED_CODE_RETENTION_SECONDS } from "./lifetimes.ts";

/** Rows per statement, so no statement locks many rows for long. */
const BATCH = 2_000;

const DELETIONS: readonly Statement[] = [
  {
    name: "delete-old-oauth-requests",
    text: `DELETE FROM oauth_requests WHERE id IN (SELECT id FROM oauth_requests WHERE expires_at < now() - interval '1 hour' LIMIT ${BATCH}) RETURNING id`,
  },
  {
    name: "delete-old-oauth-codes",
    text: `DELETE FROM oauth_codes WHERE code_hash IN (SELECT code_hash FROM oauth_codes
      WHERE expires_at < now() - interval '${USED_CODE_RETENTION_SECONDS} seconds' LIMIT ${BATCH}) RETURNING family_id`,
  },
  {
    // Used refresh tokens are retained until they expire, to detect their reuse.
    name: "delete-old-oauth-tokens",
    text: `DELETE FROM oauth_tokens WHERE id IN (SELECT id FROM oauth_tokens WHERE expires_at < now() LIMIT ${BATCH}) RETURNING id`,
  },
];

/** Deletes expired requests, codes and tokens. Runs as a recurring job. */
export async function deleteOldAuthorizations(db: Database): Promise<void> {
  for (const deletion of DELETIONS) while ((await db.query(deletion, [])).length === BATCH);
}
