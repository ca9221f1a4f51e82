/** Grants of an account to applications: change limits, enforce scopes, disconnect. */
import type { OAuthGrant } from "../../generated/prisma/client.ts";
import { type CardBudgetTerms, findCardBudget, resolveCardBudget } from "../accounts/card-budget.ts";
import { cardBudgetParameter, writeCardBudget } from "../accounts/card-budget-statement.ts";
import { requireSession } from "../accounts/recent-proof.ts";
import { requireManager, type Viewer } from "../accounts/viewer.ts";
import type { Statement } from "../platform/database/connection.ts";
import { InvalidRequestError, NotFoundError } from "../platform/errors.ts";
import type { OAuthDeps } from "./deps.ts";
import { findLimits, type RequestedLimits, resolveLimits, resolveNetworks } from "./limits.ts";

// Revoking the grant is sufficient, because every look-up of a token or code also checks its grant. Locked tokens and
// codes are skipped: their transactions may wait for the grant, so waiting for them could deadlock.
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
      UPDATE oauth_grants SET networks = $3, strict_scopes = strict_scopes OR $8, updated_at = now() WHERE id = $1 AND account_id = $2 AND revoked_at IS NULL RETURNING id
    ), limited AS (
      UPDATE budgets SET per_transaction_limit_micro_usd = $4, daily_limit_micro_usd = $5, monthly_limit_micro_usd = $6
      FROM changed WHERE budgets.id = changed.id
    ), ${writeCardBudget({ credentials: "changed", accountId: "$2", terms: "$7" })}
    SELECT id FROM changed`,
};

/**
 * Revokes a grant with its tokens and codes and closes its budget, in one statement. Payments already signed remain
 * valid. Idempotent.
 * @throws {NotFoundError}
 */
export async function disconnectApp(
  { db }: Pick<OAuthDeps, "db">,
  viewer: Viewer | null,
  grantId: string,
): Promise<OAuthGrant> {
  const { accountId } = requireManager(viewer);
  const [revoked] = await db.query<{ id: string }>(DISCONNECT, [grantId, accountId]);
  if (!revoked) throw grantNotFoundError();
  return await db.prisma.oAuthGrant.findUniqueOrThrow({ where: { id: revoked.id } });
}

export interface GrantChange {
  readonly grantId: string;
  /** Omitted limits remain unchanged. */
  readonly limits: RequestedLimits;
  /** Null removes the card budget: the checkout policy alone then limits orders. Omitted: unchanged. */
  readonly cardBudget?: CardBudgetTerms | null | undefined;
  /** Null leaves the networks unchanged. */
  readonly networks: readonly string[] | null;
  /** True enforces the scopes of all its tokens. Omitted: unchanged. */
  readonly strictScopes?: boolean | undefined;
}

/**
 * Replaces limits and networks of a grant, effective for existing tokens. Requires a session. The account's own limits
 * are the maximum. Scopes that are enforced remain so: only a new consent after a disconnection waives them.
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
  const [own, before] = await Promise.all([findLimits(db, session.budgetId), findLimits(db, change.grantId)]);
  if (!grant || !own || !before) throw grantNotFoundError();
  if (change.strictScopes === false && grant.strictScopes) throw cannotWaiveScopesError();
  const limits = resolveLimits(own, change.limits, before);
  const networks = change.networks ? resolveNetworks(session.rules.networks, change.networks) : grant.networks;
  const cardBudget =
    change.cardBudget === undefined
      ? await findCardBudget(db, grant.id)
      : resolveCardBudget({ limits, cardBudget: change.cardBudget }, null);
  const changed = await db.query(UPDATE, [
    grant.id,
    accountId,
    networks,
    limits.perTransactionMicroUsd,
    limits.dailyMicroUsd,
    limits.monthlyMicroUsd,
    cardBudgetParameter(cardBudget),
    change.strictScopes ?? false,
  ]);
  if (changed.length === 0) throw grantNotFoundError();
  return await db.prisma.oAuthGrant.findUniqueOrThrow({ where: { id: grant.id } });
}

/** Returns the error for an owner's attempt to widen a grant. */
export function cannotWaiveScopesError(): InvalidRequestError {
  const text = "strictScopes cannot be turned off for this application. Nothing was changed.";
  return new InvalidRequestError(text, "strictScopes");
}

const grantNotFoundError = () => new NotFoundError("Connected application not found.");
