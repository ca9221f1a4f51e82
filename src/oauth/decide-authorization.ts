/** A person's answer to an application: once, within their own limits, and kept as a grant with a budget of the same id. */
import { requireSession } from "../accounts/recent-proof.ts";
import type { AccountViewer, Viewer } from "../accounts/viewer.ts";
import type { Statement } from "../platform/database/connection.ts";
import { ForbiddenError, NotFoundError } from "../platform/errors.ts";
import { newId } from "../platform/ids.ts";
import { findOpenRequest, isFreshEnough, type OpenRequest, ownView } from "./authorization-request.ts";
import type { OAuthDeps } from "./deps.ts";
import { limitsWithin, networksWithin, type RequestedLimits } from "./limits.ts";

export interface Decision {
  readonly requestId: string;
  readonly approve: boolean;
  /** What is not said stays as it was, or as it was suggested. */
  readonly limits: RequestedLimits;
  /** Null: as they were, or all of the person's own. */
  readonly networks: readonly string[] | null;
}

// Who allows an application again widens its scopes, and sets limits and networks anew, for all its tokens at once.
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
    SELECT client_id FROM decided`,
};

/**
 * @returns where the browser goes next: an address of this service that brings the answer to the application, for this
 * session alone and once.
 * @throws {NotFoundError} when there is no such request, or it was decided, or has expired
 * @throws {LimitExceedsOwnError | InvalidRequestError | ForbiddenError}
 */
export async function decideAuthorization(
  deps: OAuthDeps,
  viewer: Viewer | null,
  decision: Decision,
): Promise<{ continueUrl: string }> {
  const session = requireSession(viewer);
  const open = await findOpenRequest(deps, decision.requestId);
  if (!open) throw gone();
  if (!isFreshEnough(session, open.row.authenticateAfter)) {
    throw new ForbiddenError("This application asked for a fresh sign-in: sign in once more, then decide.");
  }
  const { limits, networks } = decision.approve ? await terms(deps, session, open, decision) : NOTHING;
  const decided = await deps.db.query(DECIDE, [
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
  if (decided.length === 0) throw gone();
  return { continueUrl: `${deps.site.browserUrl()}/oauth/continue?request=${open.row.id}` };
}

const NOTHING = {
  limits: { perTransactionMicroUsd: null, dailyMicroUsd: null, monthlyMicroUsd: null },
  networks: [],
} as const;

async function terms(deps: OAuthDeps, session: AccountViewer, open: OpenRequest, decision: Decision) {
  const { ownLimits, suggestedLimits, previous } = await ownView(deps, session, open);
  const { networks } = session.rules;
  const before = previous?.networks.filter((network) => networks.includes(network));
  return {
    limits: limitsWithin(ownLimits, decision.limits, suggestedLimits),
    networks: networksWithin(networks, decision.networks ?? before ?? networks),
  };
}

function gone(): NotFoundError {
  return new NotFoundError("This request has expired or was answered already. Start again at the application.");
}
