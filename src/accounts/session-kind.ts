/** Sessions as credentials: the secret in a browser's cookie grants full access to the account. */
import type { Database, Statement } from "../platform/database/connection.ts";
import { type FrozenBy, frozenByOf } from "./freeze/freeze-state.ts";
import { hashToken } from "./secret-token.ts";
import { ROTATION_AGE_MS } from "./sessions.ts";
import type { TokenKind } from "./token-kind.ts";
import { type AccountViewer, SCOPES } from "./viewer.ts";

/** `last_seen_at` is updated when it is older than this. */
const LAST_SEEN_PRECISION_MS = 60_000;

const IDLE_DAYS = 7;
const IS_ACTIVE = `s.revoked_at IS NULL AND s.expires_at > now() AND s.last_seen_at > now() - interval '${IDLE_DAYS} days'`;

const FIND: Statement = {
  name: "find-session",
  text: `SELECT s.id, s.account_id, s.token_hash = $1 AS is_current, s.rotated_at, s.authenticated_at, s.created_at, s.expires_at,
      s.last_seen_at, a.email, a.x402_enabled_at IS NOT NULL AS x402_enabled, a.strict_scopes, c.available_micro_usd,
      ${frozenByOf("a")} AS frozen_by
    FROM sessions s JOIN accounts a ON a.id = s.account_id JOIN credits c ON c.account_id = s.account_id
    WHERE (s.token_hash = $1 OR (s.previous_token_hash = $1 AND s.rotated_at > now() - interval '1 minute')) AND ${IS_ACTIVE}`,
};

const IS_VALID: Statement = {
  name: "is-session-valid",
  text: `SELECT s.id FROM sessions s WHERE s.id = $1 AND ${IS_ACTIVE}`,
};

const TOUCH: Statement = { name: "touch-session", text: "UPDATE sessions SET last_seen_at = now() WHERE id = $1" };

/** SQL condition that the session `child` has not expired. Revocation is a separate condition. */
export const UNEXPIRED = `(child.expires_at > now() AND child.last_seen_at > now() - interval '${IDLE_DAYS} days')`;

interface SessionRow {
  id: string;
  account_id: string;
  is_current: boolean;
  rotated_at: Date;
  authenticated_at: Date;
  created_at: Date;
  expires_at: Date;
  last_seen_at: Date;
  email: string | null;
  x402_enabled: boolean;
  frozen_by: FrozenBy | null;
  strict_scopes: boolean;
  available_micro_usd: bigint;
}

/**
 * @param options.adminEmails lower-case addresses whose accounts may review applications
 * @param options.networks every supported network; a session may pay on all of them
 */
export function createSessionKind(options: {
  readonly adminEmails: readonly string[];
  readonly networks: readonly string[];
}): TokenKind {
  return {
    prefix: "satchel_ss_",
    credentialKind: "session",
    find: (db, token) => findSession(db, token, options),
    async isStillValid(db, id) {
      return (await db.query(IS_VALID, [id])).length > 0;
    },
  };
}

async function findSession(
  db: Database,
  token: string,
  { adminEmails, networks }: { readonly adminEmails: readonly string[]; readonly networks: readonly string[] },
): Promise<AccountViewer | null> {
  const [row] = await db.query<SessionRow>(FIND, [hashToken(token)]);
  if (!row) return null;
  if (row.last_seen_at.getTime() < Date.now() - LAST_SEEN_PRECISION_MS) await db.query(TOUCH, [row.id]);
  // A renewed proof applies only to the new secret. With the old one, only the session's first proof counts.
  const authenticatedAt = row.is_current ? row.authenticated_at : row.created_at;
  return {
    kind: "account",
    accountId: row.account_id,
    credentialId: row.id,
    credentialKind: "session",
    budgetId: row.account_id,
    budgetIds: [row.account_id],
    scopes: SCOPES,
    strictScopes: row.strict_scopes,
    rules: { networks, allowedHosts: [], allowedPayees: [], merchantUrl: null },
    x402Enabled: row.x402_enabled,
    frozenBy: row.frozen_by,
    creditMicroUsd: row.available_micro_usd,
    expiresAtMs: row.expires_at.getTime(),
    isAdministrator: row.email !== null && adminEmails.includes(row.email),
    authenticatedAtMs: authenticatedAt.getTime(),
    ...(row.is_current ? { rotationDueAtMs: row.rotated_at.getTime() + ROTATION_AGE_MS } : {}),
  };
}
