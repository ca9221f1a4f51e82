/** What an account allows applications: seen, changed and taken back by the person. */
import type { OAuthGrant } from "../../generated/prisma/client.ts";
import { requireSession } from "../accounts/recent-proof.ts";
import { requireManager, type Viewer } from "../accounts/viewer.ts";
import type { Statement } from "../platform/database/connection.ts";
import { NotFoundError } from "../platform/errors.ts";
import type { OAuthDeps } from "./deps.ts";
import { limitsOf, limitsWithin, networksWithin, type RequestedLimits } from "./limits.ts";

// The grant decides: whatever is issued under it is looked up together with it. So tokens and codes in use at this moment
// are passed over: whoever uses them waits for the grant, and would be waited for here.
const DISCONNECT: Statement = {
  name: "disconnect-app",
  text: `WITH revoked AS (
      UPDATE oauth_grants SET revoked_at = coalesce(revoked_at, now()), slot = NULL, updated_at = now()
      WHERE id = $1 AND account_id = $2 RETURNING id
    ), closed AS (
      UPDATE budgets SET closed_at = least(closed_at, now()) FROM revoked WHERE budgets.id = revoked.id
    ), tokens AS (
      UPDATE oauth_tokens SET revoked_at = now() WHERE id IN (SELECT t.id FROM oauth_tokens t
        WHERE t.grant_id IN (SELECT id FROM revoked) AND t.revoked_at IS NULL FOR UPDATE OF t SKIP LOCKED)
    ), codes AS (
      UPDATE oauth_codes SET consumed_at = now() WHERE code_hash IN (SELECT c.code_hash FROM oauth_codes c
        WHERE c.grant_id IN (SELECT id FROM revoked) AND c.consumed_at IS NULL FOR UPDATE OF c SKIP LOCKED)
    )
    SELECT id FROM revoked`,
};

const UPDATE: Statement = {
  name: "update-oauth-grant",
  text: `WITH changed AS (
      UPDATE oauth_grants SET networks = $3, updated_at = now() WHERE id = $1 AND account_id = $2 AND revoked_at IS NULL RETURNING id
    ), limited AS (
      UPDATE budgets SET per_transaction_limit_micro_usd = $4, daily_limit_micro_usd = $5, monthly_limit_micro_usd = $6
      FROM changed WHERE budgets.id = changed.id
    )
    SELECT id FROM changed`,
};

/**
 * Takes back all that was allowed: every token and code ends, and the budget closes, in one statement. What is already
 * signed stays signed. Doing it twice changes nothing.
 */
export async function disconnectApp(
  { db }: Pick<OAuthDeps, "db">,
  viewer: Viewer | null,
  grantId: string,
): Promise<OAuthGrant> {
  const { accountId } = requireManager(viewer);
  const [revoked] = await db.query<{ id: string }>(DISCONNECT, [grantId, accountId]);
  if (!revoked) throw new NotFoundError("There is no such connected application.");
  return await db.prisma.oAuthGrant.findUniqueOrThrow({ where: { id: revoked.id } });
}

export interface GrantChange {
  readonly grantId: string;
  /** What is not said stays. */
  readonly limits: RequestedLimits;
  readonly networks: readonly string[] | null;
}

/**
 * Sets limits and networks anew, for the application's tokens as they are; only a person may, within their own limits.
 * @throws {LimitExceedsOwnError | NotFoundError | InvalidRequestError | ForbiddenError}
 */
export async function updateGrantLimits(
  { db }: Pick<OAuthDeps, "db">,
  viewer: Viewer | null,
  change: GrantChange,
): Promise<OAuthGrant> {
  const session = requireSession(viewer);
  const { accountId } = session;
  const grant = await db.prisma.oAuthGrant.findFirst({ where: { id: change.grantId, accountId, revokedAt: null } });
  const [own, before] = await Promise.all([limitsOf(db, session.budgetId), limitsOf(db, change.grantId)]);
  if (!grant || !own || !before) throw new NotFoundError("There is no such connected application.");
  const limits = limitsWithin(own, change.limits, before);
  const networks = change.networks ? networksWithin(session.rules.networks, change.networks) : grant.networks;
  const changed = await db.query(UPDATE, [
    grant.id,
    accountId,
    networks,
    limits.perTransactionMicroUsd,
    limits.dailyMicroUsd,
    limits.monthlyMicroUsd,
  ]);
  if (changed.length === 0) throw new NotFoundError("There is no such connected application.");
  return await db.prisma.oAuthGrant.findUniqueOrThrow({ where: { id: grant.id } });
}
