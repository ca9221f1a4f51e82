import type { Database, Statement } from "../platform/database.ts";
import type { Viewer } from "./viewer.ts";

const IS_VALID: Statement = {
  name: "is-api-token-valid",
  text: `SELECT t.id FROM api_tokens t WHERE t.id = $1 AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())
      AND NOT EXISTS (SELECT 1 FROM budgets b WHERE b.id = ANY(t.budget_ids) AND b.closed_at <= now())`,
};

/** Whether the credential a long-lived connection was opened with would still be accepted. */
export async function isStillValid(deps: { readonly db: Database }, viewer: Viewer): Promise<boolean> {
  if (viewer.kind === "operator") return true;
  const [row] = await deps.db.query(IS_VALID, [viewer.credentialId]);
  return row !== undefined;
}
