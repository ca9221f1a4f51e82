import type { Database, Statement } from "../platform/database/connection.ts";

const REVOKE: Statement = {
  name: "revoke-oauth-family",
  // Rows are locked in a fixed order, so concurrent revocations cannot deadlock.
  text: `UPDATE oauth_tokens SET revoked_at = now() WHERE id IN (
      SELECT id FROM oauth_tokens WHERE family_id = $1 AND revoked_at IS NULL ORDER BY id FOR UPDATE
    ) RETURNING id`,
};

/**
 * Revokes every token that descends from one code. The statement waits for a rotation in flight, which holds a lock on
 * the old token, but does not see the pair it inserts. It is therefore repeated until it finds no more rows.
 */
export async function revokeFamily(db: Database, familyId: string): Promise<void> {
  while ((await db.query(REVOKE, [familyId])).length > 0);
}
