import type { OAuthClient } from "../../../generated/prisma/client.ts";
import { requireManager, type Viewer } from "../../accounts/viewer.ts";
import type { Database, Statement } from "../../platform/database/connection.ts";
import { InvalidRequestError, NotFoundError } from "../../platform/errors.ts";
import type { RateLimiter } from "../../platform/rate-limit.ts";
import { CHANGES_PER_MINUTE, mintSecret } from "./register-client.ts";

const DEFAULT_OVERLAP_HOURS = 24;
const MAX_OVERLAP_HOURS = 30 * 24;

// One statement, so the replaced secret is the current one also under concurrent rotations.
const ROTATE: Statement = {
  name: "rotate-oauth-client-secret",
  text: `UPDATE oauth_clients SET secret_hash = $3, secret_hint = $4, secret_created_at = now(),
      former_secret_hash = CASE WHEN $5::int > 0 THEN secret_hash END,
      former_secret_hint = CASE WHEN $5::int > 0 THEN secret_hint END,
      former_secret_created_at = CASE WHEN $5::int > 0 THEN secret_created_at END,
      former_secret_expires_at = CASE WHEN $5::int > 0 AND secret_hash IS NOT NULL THEN now() + $5::int * interval '1 hour' END
    WHERE id = $1 AND account_id = $2::uuid AND status <> 'revoked' AND kind IN ('confidential', 'automation') RETURNING id`,
};

/**
 * Replaces the secret of an application of the viewer's account. The replaced secret remains valid for the overlap; one that
 * was replaced before becomes invalid immediately.
 * @param overlapHours 0 to 720, default 24; 0 after a compromise
 * @returns the row and the secret, which is shown only once
 * @throws {InvalidRequestError} for another overlap, or for a public client, which has no secret
 * @throws {NotFoundError} for another account's application or a revoked one
 */
export async function rotateClientSecret(
  { db, rateLimiter }: { readonly db: Database; readonly rateLimiter: RateLimiter },
  viewer: Viewer | null,
  clientId: string,
  overlapHours: number = DEFAULT_OVERLAP_HOURS,
): Promise<{ client: OAuthClient; secret: string }> {
  const { accountId } = requireManager(viewer);
  if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > MAX_OVERLAP_HOURS) {
    const text = `overlapHours must be an integer from 0 to ${MAX_OVERLAP_HOURS}. No secret was created.`;
    throw new InvalidRequestError(text, "overlapHours");
  }
  await rateLimiter.consume("oauth-client", accountId, CHANGES_PER_MINUTE);
  const { secret, columns } = mintSecret(new Date());
  const values = [clientId, accountId, columns.secretHash, columns.secretHint, overlapHours];
  const [rotated] = await db.query(ROTATE, values);
  const where = { id: clientId, accountId, status: { not: "revoked" } };
  if (!rotated && (await db.prisma.oAuthClient.count({ where })) > 0) {
    throw new InvalidRequestError(
      "A public client has no secret: it authenticates with PKCE. No secret was created.",
      "id",
    );
  }
  if (!rotated) throw new NotFoundError("Application not found or revoked. No secret was created.");
  return { client: await db.prisma.oAuthClient.findUniqueOrThrow({ where: { id: clientId } }), secret };
}

export interface ClientSecretInfo {
  /** The last four characters. */
  readonly hint: string | null;
  readonly createdAt: Date | null;
  /** Null for the current secret. */
  readonly expiresAt: Date | null;
}

/** Returns the valid secrets of an application, the current one first. */
export function listClientSecrets(client: OAuthClient, now = new Date()): readonly ClientSecretInfo[] {
  const { secretHint: hint, secretCreatedAt: createdAt, formerSecretExpiresAt: expiresAt } = client;
  const current = client.secretHash === null ? [] : [{ hint, createdAt, expiresAt: null }];
  if (expiresAt === null || expiresAt <= now) return current;
  return [...current, { hint: client.formerSecretHint, createdAt: client.formerSecretCreatedAt, expiresAt }];
}
