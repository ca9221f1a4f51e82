/** Sessions of signed-in browsers: creation, renewal, rotation of the secret, revocation. */
import type { Session } from "../../generated/prisma/client.ts";
import type { Database, Statement } from "../platform/database/connection.ts";
import { NotFoundError } from "../platform/errors.ts";
import { newId } from "../platform/ids.ts";
import type { PubSub } from "../platform/pubsub/pubsub.ts";
import { hashToken, mintToken } from "./secret-token.ts";
import { asSession, requireManager, type Viewer } from "./viewer.ts";

/** How the user authenticated. */
export type SignInMethod = "email_code" | "passkey" | "oidc";

export interface SessionDeps {
  readonly db: Database;
  readonly pubsub: PubSub;
}

/** Facts about a browser. The account owner sees them in the list of sessions. */
export interface Browser {
  readonly ip: string | null;
  readonly userAgent: string | null;
}

export interface Proof {
  readonly accountId: string;
  readonly method: SignInMethod;
  /** When the user authenticated, if earlier than now (an OpenID provider's `auth_time`). */
  readonly provedAt?: Date | undefined;
}

/** A session expires this long after the last proof of identity, regardless of use. */
export const SESSION_LIFETIME_MS = 30 * 86_400_000;
/** A session's secret is replaced when it is older than this. */
export const ROTATION_AGE_MS = 86_400_000;
const MAX_USER_AGENT_LENGTH = 300;

/** Pub/sub channel for the ids of revoked sessions. Subscribers close the sessions' open connections. */
export const ENDED_SESSIONS = "ended-sessions";

const RENEW: Statement = {
  name: "renew-session",
  text: `UPDATE sessions SET token_hash = $3, previous_token_hash = token_hash, rotated_at = now(), method = $4,
      authenticated_at = greatest(authenticated_at, least(now(), $5::timestamptz)), expires_at = $6, last_seen_at = now(), user_agent = $7, ip_address = $8
    WHERE id = $1 AND account_id = $2 AND revoked_at IS NULL AND expires_at > now()
    RETURNING id`,
};

const ROTATE: Statement = {
  name: "rotate-session",
  text: `UPDATE sessions SET token_hash = $3, previous_token_hash = token_hash, rotated_at = now()
    WHERE id = $1 AND token_hash = $2 AND rotated_at < $4 AND revoked_at IS NULL AND expires_at > now()
    RETURNING expires_at`,
};

const REVOKE: Statement = {
  name: "revoke-session",
  text: `UPDATE sessions SET revoked_at = coalesce(revoked_at, now()), previous_token_hash = NULL
    WHERE id = $1 AND account_id = $2 RETURNING id`,
};

const REVOKE_OTHERS: Statement = {
  name: "revoke-other-sessions",
  text: `WITH unknown_browsers AS (UPDATE accounts SET browser_generation = browser_generation + 1 WHERE id = $1)
    UPDATE sessions SET revoked_at = now(), previous_token_hash = NULL
    WHERE account_id = $1 AND id <> $2 AND revoked_at IS NULL AND expires_at > now() RETURNING id`,
};

/** Creates a session and returns its secret, for the browser's cookie. */
export async function beginSession(deps: SessionDeps, proof: Proof, browser: Browser): Promise<string> {
  const secret = mintToken("satchel_ss_");
  const now = new Date();
  await deps.db.prisma.session.create({
    data: {
      id: newId("ses"),
      accountId: proof.accountId,
      tokenHash: hashToken(secret),
      method: proof.method,
      authenticatedAt: earlierDate(now, proof.provedAt),
      userAgent: sanitizeUserAgent(browser.userAgent),
      ipAddress: browser.ip,
      expiresAt: new Date(now.getTime() + SESSION_LIFETIME_MS),
    },
  });
  return secret;
}

/**
 * Records a new proof of identity in a session of the same account and replaces the session's secret.
 * @returns the new secret; null if the session has ended
 */
export async function renewSession(
  deps: SessionDeps,
  sessionId: string,
  proof: Proof,
  browser: Browser,
): Promise<string | null> {
  const secret = mintToken("satchel_ss_");
  const now = new Date();
  const renewed = await deps.db.query(RENEW, [
    sessionId,
    proof.accountId,
    hashToken(secret),
    proof.method,
    earlierDate(now, proof.provedAt),
    new Date(now.getTime() + SESSION_LIFETIME_MS),
    sanitizeUserAgent(browser.userAgent),
    browser.ip,
  ]);
  return renewed.length > 0 ? secret : null;
}

/**
 * Replaces a secret that is more than a day old. The old one is accepted for another minute, for requests in flight.
 * Of concurrent calls, one returns the new secret and the others return null.
 */
export async function rotateSession(
  deps: { readonly db: Database },
  sessionId: string,
  secret: string,
): Promise<{ secret: string; maxAgeSeconds: number } | null> {
  const next = mintToken("satchel_ss_");
  const rotatedBefore = new Date(Date.now() - ROTATION_AGE_MS);
  const values = [sessionId, hashToken(secret), hashToken(next), rotatedBefore];
  const [rotated] = await deps.db.query<{ expires_at: Date }>(ROTATE, values);
  if (!rotated) return null;
  return { secret: next, maxAgeSeconds: Math.floor((rotated.expires_at.getTime() - Date.now()) / 1000) };
}

/**
 * Revokes a session of the viewer's account and closes its open connections. Idempotent.
 * @throws {NotFoundError}
 */
export async function revokeSession(deps: SessionDeps, viewer: Viewer | null, sessionId: string): Promise<Session> {
  const { accountId } = requireManager(viewer);
  const [revoked] = await deps.db.query<{ id: string }>(REVOKE, [sessionId, accountId]);
  if (!revoked) throw new NotFoundError("Session not found.");
  deps.pubsub.publish(ENDED_SESSIONS, revoked.id);
  return await deps.db.prisma.session.findUniqueOrThrow({ where: { id: revoked.id } });
}

/**
 * Revokes every session of the viewer's account except the calling one. Browsers that signed in before are unknown again.
 * @returns the number of revoked sessions
 */
export async function revokeOtherSessions(deps: SessionDeps, viewer: Viewer | null): Promise<number> {
  const { accountId, credentialId } = requireManager(viewer);
  const revoked = await deps.db.query<{ id: string }>(REVOKE_OTHERS, [accountId, credentialId]);
  for (const { id } of revoked) deps.pubsub.publish(ENDED_SESSIONS, id);
  return revoked.length;
}

/** Revokes the calling session. Returns false if the viewer is not a session. */
export async function signOut(deps: SessionDeps, viewer: Viewer | null): Promise<boolean> {
  const session = asSession(viewer);
  if (!session) return false;
  await revokeSession(deps, session, session.credentialId);
  return true;
}

function earlierDate(now: Date, other: Date | undefined): Date {
  return other && other.getTime() < now.getTime() ? other : now;
}

/** Truncates the User-Agent and removes characters that PostgreSQL cannot store. */
function sanitizeUserAgent(userAgent: string | null): string | null {
  return userAgent?.slice(0, MAX_USER_AGENT_LENGTH).toWellFormed().replaceAll("\0", "") ?? null;
}
