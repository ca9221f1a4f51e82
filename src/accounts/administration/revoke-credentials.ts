import type { Prisma } from "../../../generated/prisma/client.ts";
import { retryDeadlocks } from "../../platform/database/retry-deadlocks.ts";
import { InvalidRequestError } from "../../platform/errors.ts";
import type { Viewer } from "../viewer.ts";
import { requireAdministrator, requireReason } from "./administrator.ts";
import type { AccountActInput } from "./end-sessions.ts";
import { type AdministrationDeps, performAct } from "./perform-act.ts";
import { requireSubject } from "./subject-account.ts";

export const REVOCABLE_KINDS = ["api_tokens", "oauth_grants", "purchase_tokens"] as const;
export type RevocableKind = (typeof REVOCABLE_KINDS)[number];

/** The number of revoked credentials of each kind. */
export type RevokedCounts = Readonly<Record<RevocableKind, number>>;

/**
 * Revokes all credentials of the given kinds and closes their budgets, so that no further payment is reserved with them.
 * Payments already signed remain valid.
 * @throws {UnauthorizedError | ForbiddenError | ReauthenticationRequiredError | SecondAdministratorRequiredError}
 * @throws {InvalidRequestError | NotFoundError}
 */
export async function revokeAccountCredentials(
  deps: AdministrationDeps,
  viewer: Viewer | null,
  input: AccountActInput & { readonly kinds: readonly RevocableKind[] },
): Promise<RevokedCounts> {
  const actor = requireAdministrator(viewer);
  const reason = requireReason(input.reason);
  const { accountId, proposalId = null } = input;
  const kinds = REVOCABLE_KINDS.filter((kind) => input.kinds.includes(kind));
  if (kinds.length === 0) throw new InvalidRequestError("kinds must name at least one kind of credential.", "kinds");
  await requireSubject(deps, accountId);
  const act = {
    ...{ actor, action: "accounts.revoke_credentials" as const, reason, proposalId, input: { accountId, kinds } },
    ...{ subjectAccountId: accountId, subjectType: "account", subjectId: accountId },
  };
  return await retryDeadlocks(() =>
    performAct(deps, act, async (tx) => {
      const result = { api_tokens: 0, oauth_grants: 0, purchase_tokens: 0 };
      for (const kind of kinds) result[kind] = await REVOCATIONS[kind](tx, accountId);
      const active = Object.fromEntries(kinds.map((kind) => [kind, result[kind]]));
      const none = Object.fromEntries(kinds.map((kind) => [kind, 0]));
      return { result, before: active, after: none };
    }),
  );
}

type Revoke = (tx: Prisma.TransactionClient, accountId: string) => Promise<number>;

// A credential and its budget have the same id.
const REVOCATIONS: Readonly<Record<RevocableKind, Revoke>> = {
  api_tokens: (tx, accountId) => tx.$executeRaw`WITH revoked AS (
      UPDATE api_tokens SET revoked_at = now()
      WHERE account_id = ${accountId}::uuid AND revoked_at IS NULL RETURNING id
    )
    UPDATE budgets SET closed_at = least(closed_at, now()) FROM revoked WHERE budgets.id = revoked.id`,
  purchase_tokens: (tx, accountId) => tx.$executeRaw`WITH revoked AS (
      UPDATE purchase_tokens SET revoked_at = now()
      WHERE account_id = ${accountId}::uuid AND revoked_at IS NULL AND expires_at > now() RETURNING id
    )
    UPDATE budgets SET closed_at = least(closed_at, now()) FROM revoked WHERE budgets.id = revoked.id`,
  // Locked tokens and codes are skipped: each look-up also checks the grant, and waiting for them could deadlock.
  oauth_grants: (tx, accountId) => tx.$executeRaw`WITH revoked AS (
      UPDATE oauth_grants SET revoked_at = now(), slot = NULL, updated_at = now()
      WHERE account_id = ${accountId}::uuid AND revoked_at IS NULL RETURNING id
    ), tokens AS (
      UPDATE oauth_tokens SET revoked_at = now() WHERE id IN (SELECT t.id FROM oauth_tokens t
        WHERE t.grant_id IN (SELECT id FROM revoked) AND t.revoked_at IS NULL FOR UPDATE OF t SKIP LOCKED)
    ), codes AS (
      UPDATE oauth_codes SET consumed_at = now() WHERE code_hash IN (SELECT c.code_hash FROM oauth_codes c
        WHERE c.grant_id IN (SELECT id FROM revoked) AND c.consumed_at IS NULL FOR UPDATE OF c SKIP LOCKED)
    )
    UPDATE budgets SET closed_at = least(closed_at, now()) FROM revoked WHERE budgets.id = revoked.id`,
};
