import type { Database, Statement } from "../platform/database/connection.ts";

const REVOKE: Statement = {
  name: "revoke-oauth-family",
  // Rows are locked in a fixed order, so concurrent revocations cannot deadlock.
  text: `UPDATE oauth_tokens SET revoked_at = now() WHERE id IN (
      SELECT id FROM oauth_tokens WHERE family_id = $1 AND revoked_at IS NULL ORDER BY id FOR UPDATE
    ) RETURNING id`,
};

/**
 * Revokes all tokens issued under one authorization code (a token family). A concurrent rotation locks the old token, so
 * the statement waits for it, but does not see the inserted tokens. The statement is repeated until no row matches.
 */
export async function revokeFamily(db: Database, familyId: string): Promise<void> {
  while ((await db.query(REVOKE, [familyId])).length > 0);
}
