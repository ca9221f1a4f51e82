import type { Database, Statement } from "../platform/database/connection.ts";

const REVOKE: Statement = {
  name: "revoke-oauth-family",
  // In one order, so that two who revoke at once do not wait for each other crosswise.
  text: `UPDATE oauth_tokens SET revoked_at = now() WHERE id IN (
      SELECT id FROM oauth_tokens WHERE family_id = $1 AND revoked_at IS NULL ORDER BY id FOR UPDATE
    ) RETURNING id`,
};

/**
 * Revokes every token that descends from one code. A rotation under way holds its old token's row: the statement waits
 * for it, does not yet see the pair it made, and so is repeated until it finds nothing more.
 */
export async function revokeFamily(db: Database, familyId: string): Promise<void> {
  while ((await db.query(REVOKE, [familyId])).length > 0);
}
