/** The account's own limits, which a person sets: every credential's apply beside them. */
import type { Account } from "../../generated/prisma/client.ts";
import type { SpendingLimits } from "../accounts/api-tokens.ts";
import { requireRecentProof } from "../accounts/recent-proof.ts";
import { notifyOwner, type OwnerEmailDeps } from "../accounts/sign-in/owner-emails.ts";
import { requireManager, sessionOf, type Viewer } from "../accounts/viewer.ts";
import type { Database, Statement } from "../platform/database/connection.ts";
import { ForbiddenError } from "../platform/errors.ts";

/** Null: none; what is left out stays as it is. */
export type AccountLimitsChange = { readonly [Limit in keyof SpendingLimits]?: SpendingLimits[Limit] | undefined };

const COLUMNS = [
  ["perTransactionMicroUsd", "per_transaction_limit_micro_usd"],
  ["dailyMicroUsd", "daily_limit_micro_usd"],
  ["monthlyMicroUsd", "monthly_limit_micro_usd"],
] as const satisfies readonly (readonly [keyof SpendingLimits, string])[];

const asked = (limit: string) => `($2::jsonb ->> '${limit}')::bigint`;

// Of the row as it stands when it is written, whatever was read before: two changes at once cannot raise a limit unseen.
// Reservations meet at that row, and hold themselves against what they find in it then.
const setStatement = (name: string, condition: string): Statement => ({
  name,
  text: `UPDATE budgets SET ${COLUMNS.map(([limit, column]) => `${column} = CASE WHEN $2::jsonb ? '${limit}' THEN ${asked(limit)} ELSE ${column} END`).join(", ")}
    WHERE id = $1 AND ${condition} RETURNING id`,
});

const SET = setStatement("set-account-limits", "true");
const LOWER = setStatement(
  "lower-account-limits",
  COLUMNS.map(
    ([limit, column]) => `(NOT $2::jsonb ? '${limit}' OR ${column} IS NULL OR ${asked(limit)} <= ${column})`,
  ).join(" AND "),
);

/**
 * Sets the account's own limits, for whatever is reserved from now on. Whoever may change the account may lower them;
 * raising or removing one takes a person who proved lately who they are, and the account's address is told.
 * @throws {UnauthorizedError | ForbiddenError | ReauthenticationRequiredError}
 */
export async function setAccountLimits(
  deps: { readonly db: Database } & OwnerEmailDeps,
  viewer: Viewer | null,
  change: AccountLimitsChange,
): Promise<Account> {
  const { accountId } = requireManager(viewer);
  const limits = COLUMNS.flatMap(([limit]) => {
    const wanted = change[limit];
    return wanted === undefined ? [] : [[limit, wanted?.toString() ?? null]];
  });
  const values = [accountId, JSON.stringify(Object.fromEntries(limits))];
  const lowered = await deps.db.query(LOWER, values);
  if (lowered.length === 0) {
    if (!sessionOf(viewer)) throw new ForbiddenError("Only a person who is signed in may raise or remove a limit.");
    requireRecentProof(viewer);
    await deps.db.query(SET, values);
  }
  const account = await deps.db.prisma.account.findUniqueOrThrow({ where: { id: accountId } });
  if (lowered.length === 0) await notifyOwner(deps, account.email, "limitsRaised");
  return account;
}
