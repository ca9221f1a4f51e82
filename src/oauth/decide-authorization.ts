/**
 * The user's decision about an authorization request. An approval is stored as a grant and a budget with the same id.
 */
import { requireSession } from "../accounts/recent-proof.ts";
import type { AccountViewer, Viewer } from "../accounts/viewer.ts";
import type { Statement } from "../platform/database/connection.ts";
import { ForbiddenError, NotFoundError } from "../platform/errors.ts";
import { newId } from "../platform/ids.ts";
import { findOpenRequest, isFreshEnough, loadSignedInView, type OpenRequest } from "./authorization-request.ts";
import type { OAuthDeps } from "./deps.ts";
import { type RequestedLimits, resolveLimits, resolveNetworks } from "./limits.ts";

export interface Decision {
  readonly requestId: string;
  readonly approve: boolean;
  /** Omitted limits default to the previous or suggested ones. */
  readonly limits: RequestedLimits;
  /** Null defaults to the previous networks, or all of the account's. */
  readonly networks: readonly string[] | null;
}

// A repeated approval adds scopes and replaces limits and networks. It applies to all existing tokens of the
// application.
const DECIDE: Statement = {
  name: "decide-authorization",
  text: `WITH decided AS (
      UPDATE oauth_requests SET decided_at = now(), is_approved = $2, account_id = $3, session_id = $4
      WHERE id = $1 AND decided_at IS NULL AND expires_at > now()
      RETURNING client_id, scopes
    ), granted AS (
      INSERT INTO oauth_grants AS g (id, account_id, client_id, scopes, networks, slot)
      SELECT $5, $3, client_id, scopes, $6::text[], $3::uuid::text || ':' || client_id FROM decided WHERE $2
      ON CONFLICT (slot) DO UPDATE SET networks = excluded.networks, updated_at = now(),
        scopes = (SELECT array_agg(DISTINCT scope) FROM unnest(g.scopes || excluded.scopes) AS scope)
      RETURNING g.id
    ), limited AS (
      INSERT INTO budgets (id, account_id, per_transaction_limit_micro_usd, daily_limit_micro_usd, monthly_limit_micro_usd, day, month)
      SELECT id, $3, $7, $8, $9, (now() AT TIME ZONE 'UTC')::date, date_trunc('month', now() AT TIME ZONE 'UTC')::date FROM granted
      ON CONFLICT (id) DO UPDATE SET per_transaction_limit_micro_usd = excluded.per_transaction_limit_micro_usd,
        daily_limit_micro_usd = excluded.daily_limit_micro_usd, monthly_limit_micro_usd = excluded.monthly_limit_micro_usd
    )
    SELECT (SELECT id FROM granted) AS "grantId" FROM decided`,
};

/**
 * Records the decision.
 * @returns the next URL for the browser, `/oauth/continue`, which works once and only in this session. The grant's id is null
 *   after a denial.
 * @throws {NotFoundError} if the request does not exist, was decided, or has expired
 * @throws {LimitExceedsOwnError | InvalidRequestError | ForbiddenError}
 */
export async function decideAuthorization(
  deps: OAuthDeps,
  viewer: Viewer | null,
  decision: Decision,
): Promise<{ continueUrl: string; grantId: string | null }> {
  const session = requireSession(viewer);
  const open = await findOpenRequest(deps, decision.requestId);
  if (!open) throw requestNotFoundError();
  if (!isFreshEnough(session, open.row.authenticateAfter)) {
    throw new ForbiddenError(
      "This application requires a new sign-in. No decision was recorded. Sign in again, then decide.",
    );
  }
  const { limits, networks } = decision.approve ? await resolveTerms(deps, session, open, decision) : NO_TERMS;
  const [decided] = await deps.db.query<{ grantId: string | null }>(DECIDE, [
    open.row.id,
    decision.approve,
    session.accountId,
    session.credentialId,
    newId("grt"),
    networks,
    limits.perTransactionMicroUsd,
    limits.dailyMicroUsd,
    limits.monthlyMicroUsd,
  ]);
  if (!decided) throw requestNotFoundError();
  const { grantId } = decided;
  return { continueUrl: `${deps.site.browserUrl()}/oauth/continue?request=${open.row.id}`, grantId };
}

const NO_TERMS = {
  limits: { perTransactionMicroUsd: null, dailyMicroUsd: null, monthlyMicroUsd: null },
  networks: [],
} as const;

async function resolveTerms(deps: OAuthDeps, session: AccountViewer, open: OpenRequest, decision: Decision) {
  const { ownLimits, suggestedLimits, previous } = await loadSignedInView(deps, session, open);
  const { networks } = session.rules;
  const before = previous?.networks.filter((network) => networks.includes(network));
  return {
    limits: resolveLimits(ownLimits, decision.limits, suggestedLimits),
    networks: resolveNetworks(networks, decision.networks ?? before ?? networks),
  };
}

function requestNotFoundError(): NotFoundError {
  return new NotFoundError("This request has expired or was already decided. Start again at the application.");
}
