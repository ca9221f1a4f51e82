/**
 * The user's decision about an authorization request. An approval is stored as a grant and a budget with the same id.
 */
import { type CardBudgetTerms, findCardBudget, resolveCardBudget } from "../accounts/card-budget.ts";
import { cardBudgetParameter, writeCardBudget } from "../accounts/card-budget-statement.ts";
import { requireSession } from "../accounts/recent-proof.ts";
import type { AccountViewer, Viewer } from "../accounts/viewer.ts";
import type { Statement } from "../platform/database/connection.ts";
import { ForbiddenError, NotFoundError } from "../platform/errors.ts";
import { newId } from "../platform/ids.ts";
import { findOpenRequest, isFreshEnough, loadSignedInView, type OpenRequest } from "./authorization-request.ts";
import type { OAuthDeps } from "./deps.ts";
import { cannotWaiveScopesError } from "./grants.ts";
import { type RequestedLimits, resolveLimits, resolveNetworks } from "./limits.ts";

export interface Decision {
  readonly requestId: string;
  readonly approve: boolean;
  /** Omitted limits default to the previous or suggested ones. */
  readonly limits: RequestedLimits;
  /** Null grants the checkout policy alone. Omitted: the previous card budget, or for a first grant its limits. */
  readonly cardBudget?: CardBudgetTerms | null | undefined;
  /** Null defaults to the previous networks, or all of the account's. */
  readonly networks: readonly string[] | null;
  /** True enforces the scopes of this grant, also if the application has the waiver. Omitted: as the application. */
  readonly strictScopes?: boolean | undefined;
}

// A repeated approval adds scopes and replaces limits and networks. It applies to all existing tokens of the
// application. It can enforce scopes but never waive them.
const DECIDE: Statement = {
  name: "decide-authorization",
  text: `WITH decided AS (
      UPDATE oauth_requests SET decided_at = now(), is_approved = $2, account_id = $3, session_id = $4
      WHERE id = $1 AND decided_at IS NULL AND expires_at > now()
      RETURNING client_id, scopes
    ), granted AS (
      INSERT INTO oauth_grants AS g (id, account_id, client_id, scopes, networks, slot, strict_scopes)
      SELECT $5, $3, d.client_id, d.scopes, $6::text[], $3::uuid::text || ':' || d.client_id, c.strict_scopes OR $11
      FROM decided d JOIN oauth_clients c ON c.id = d.client_id WHERE $2
      ON CONFLICT (slot) DO UPDATE SET networks = excluded.networks, updated_at = now(),
        strict_scopes = g.strict_scopes OR excluded.strict_scopes,
        scopes = (SELECT array_agg(DISTINCT scope) FROM unnest(g.scopes || excluded.scopes) AS scope)
      RETURNING g.id
    ), limited AS (
      INSERT INTO budgets (id, account_id, per_transaction_limit_micro_usd, daily_limit_micro_usd, monthly_limit_micro_usd, day, month)
      SELECT id, $3, $7, $8, $9, (now() AT TIME ZONE 'UTC')::date, date_trunc('month', now() AT TIME ZONE 'UTC')::date FROM granted
      ON CONFLICT (id) DO UPDATE SET per_transaction_limit_micro_usd = excluded.per_transaction_limit_micro_usd,
        daily_limit_micro_usd = excluded.daily_limit_micro_usd, monthly_limit_micro_usd = excluded.monthly_limit_micro_usd
    ), ${writeCardBudget({ credentials: "granted", accountId: "$3", terms: "$10" })}
    SELECT (SELECT id FROM granted) AS "grantId" FROM decided`,
};

/**
 * Records the decision.
 * @returns the next URL for the browser. `/oauth/continue` works once and only in this session; for the request of a device,
 *   which polls for its response, it is the page of devices. The grant's id is null after a denial.
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
  if (decision.strictScopes === false && open.client.strictScopes) throw cannotWaiveScopesError();
  const { limits, networks, cardBudget } = decision.approve
    ? await resolveTerms(deps, session, open, decision)
    : NO_TERMS;
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
    cardBudgetParameter(cardBudget),
    decision.strictScopes ?? false,
  ]);
  if (!decided) throw requestNotFoundError();
  const { grantId } = decided;
  const path =
    open.row.redirectUri === null
      ? `/device?result=${decision.approve ? "approved" : "denied"}`
      : `/oauth/continue?request=${open.row.id}`;
  return { continueUrl: deps.site.browserUrl() + path, grantId };
}

const NO_TERMS = {
  limits: { perTransactionMicroUsd: null, dailyMicroUsd: null, monthlyMicroUsd: null },
  networks: [],
  cardBudget: null,
} as const;

async function resolveTerms(deps: OAuthDeps, session: AccountViewer, open: OpenRequest, decision: Decision) {
  const { ownLimits, suggestedLimits, previous } = await loadSignedInView(deps, session, open);
  const { networks } = session.rules;
  const before = previous?.networks.filter((network) => networks.includes(network));
  const limits = resolveLimits(ownLimits, decision.limits, suggestedLimits);
  const isUnchanged = previous !== null && decision.cardBudget === undefined;
  const cardBudget = isUnchanged ? await findCardBudget(deps.db, previous.id) : decision.cardBudget;
  return {
    limits,
    cardBudget: resolveCardBudget({ limits, cardBudget }, null),
    networks: resolveNetworks(networks, decision.networks ?? before ?? networks),
  };
}

function requestNotFoundError(): NotFoundError {
  return new NotFoundError("This request has expired or was already decided. Start again at the application.");
}
