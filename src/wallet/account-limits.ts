/** Spending limits of the account itself. They apply in addition to the limits of each credential. */
import type { Account } from "../../generated/prisma/client.ts";
import { requireRecentProof } from "../accounts/recent-proof.ts";
import { notifyOwner, type OwnerEmailDeps } from "../accounts/sign-in/owner-emails.ts";
import type { SpendingLimits } from "../accounts/spending-limits.ts";
import { asSession, requireManager, type Viewer } from "../accounts/viewer.ts";
import type { Database, Statement } from "../platform/database/connection.ts";
import { ForbiddenError } from "../platform/errors.ts";

/** New limits in micro-USD. Null removes a limit; an omitted limit does not change. */
export type AccountLimitsChange = { readonly [Limit in keyof SpendingLimits]?: SpendingLimits[Limit] | undefined };

const COLUMNS = [
  ["perTransactionMicroUsd", "per_transaction_limit_micro_usd"],
  ["dailyMicroUsd", "daily_limit_micro_usd"],
  ["monthlyMicroUsd", "monthly_limit_micro_usd"],
] as const satisfies readonly (readonly [keyof SpendingLimits, string])[];

const requestedLimit = (limit: string) => `($2::jsonb ->> '${limit}')::bigint`;

// The condition applies to the row at the time of the update, so two concurrent changes cannot raise a limit unnoticed.
// Reservations lock the same row and check the limits that it then contains.
const setStatement = (name: string, condition: string): Statement => ({
  name,
  text: `UPDATE budgets SET ${COLUMNS.map(([limit, column]) => `${column} = CASE WHEN $2::jsonb ? '${limit}' THEN ${requestedLimit(limit)} ELSE ${column} END`).join(", ")}
    WHERE id = $1 AND ${condition} RETURNING id`,
});

const SET = setStatement("set-account-limits", "true");
const LOWER = setStatement(
  "lower-account-limits",
  COLUMNS.map(
    ([limit, column]) => `(NOT $2::jsonb ? '${limit}' OR ${column} IS NULL OR ${requestedLimit(limit)} <= ${column})`,
  ).join(" AND "),
);

/**
 * Sets the account's own limits for later reservations. A caller that may manage the account can lower them. Raising or
 * removing a limit requires a signed-in user with a recent proof of identity. Satchel then notifies the account by email.
 * @throws {UnauthorizedError | ForbiddenError | ReauthenticationRequiredError}
 */
export async function setAccountLimits(
  deps: { readonly db: Database } & OwnerEmailDeps,
  viewer: Viewer | null,
  change: AccountLimitsChange,
): Promise<Account> {
  const { accountId } = requireManager(viewer);
  const limits = COLUMNS.flatMap(([limit]) => {
    const limitMicroUsd = change[limit];
    return limitMicroUsd === undefined ? [] : [[limit, limitMicroUsd?.toString() ?? null]];
  });
  const values = [accountId, JSON.stringify(Object.fromEntries(limits))];
  const lowered = await deps.db.query(LOWER, values);
  if (lowered.length === 0) {
    if (!asSession(viewer)) {
      throw new ForbiddenError(
        "Only a signed-in user can raise or remove a limit. No limit was changed. Sign in to the dashboard to change it.",
      );
    }
    requireRecentProof(viewer);
    await deps.db.query(SET, values);
  }
  const account = await deps.db.prisma.account.findUniqueOrThrow({ where: { id: accountId } });
  if (lowered.length === 0) await notifyOwner(deps, account.email, "limitsRaised");
  return account;
}
