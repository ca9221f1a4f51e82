/**
 * Job that executes deletions which are due. Steps: `close` ends the account's credentials, `erase` erases its rows. Each step
 * can be repeated, so an interrupted deletion continues on any node after its lease.
 */
import type { AccountDeletion } from "../../../generated/prisma/client.ts";
import { mayOwnerSignIn } from "../../accounts/freeze/freeze-state.ts";
import { recordOrders } from "../../checkout/orders/order-records.ts";
import type { Statement } from "../../platform/database/connection.ts";
import { ChainUnavailableError } from "../../wallet/chain.ts";
import type { PersonalDataDeps } from "../deps.ts";
import { PLAN } from "../plan.ts";
import { readColumns } from "../table-rows.ts";
import { findUnacknowledged, readAcknowledged, readWalletBalances } from "./balances.ts";
import { closeAccount, EmailInProgressError } from "./close-account.ts";
import { eraseRows, findRemaining } from "./erase-rows.ts";
import { findOutstanding } from "./outstanding.ts";
import { notifyDeletion } from "./request-deletion.ts";

const BALANCES = "balances that were not given up";
const CHAINS = "a network that is unavailable";
const FREEZE = "the end of a freeze";
const EMAIL = "an email to the account owner";

const CLAIM: Statement = {
  name: "claim-account-deletion",
  text: `UPDATE account_deletions SET next_attempt_at = now() + interval '2 minutes'
    WHERE id = (SELECT id FROM account_deletions WHERE next_attempt_at <= now()
      ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id`,
};
const RENEW: Statement = {
  name: "renew-account-deletion",
  text: `UPDATE account_deletions SET next_attempt_at = now() + interval '2 minutes'
    WHERE id = $1 AND status = 'running'`,
};
const WAIT: Statement = {
  name: "wait-account-deletion",
  text: `UPDATE account_deletions SET next_attempt_at = now() + interval '1 minute', waiting_for = $2, updated_at = now()
    WHERE id = $1 AND next_attempt_at IS NOT NULL`,
};
const COMPLETE: Statement = {
  name: "complete-account-deletion",
  text: `UPDATE account_deletions SET status = 'completed', step = 'completed', waiting_for = NULL, next_attempt_at = NULL,
      completed_at = now(), updated_at = now()
    WHERE id = $1 AND status = 'running'`,
};

/** During such a freeze the owner cannot cancel, and an investigation may need the data. */
const MAY_OWNER_SIGN_IN: Statement = {
  name: "may-owner-sign-in",
  text: `SELECT a.id FROM accounts a WHERE a.id = $1::uuid AND ${mayOwnerSignIn("a")}`,
};

export type RunDeletionsDeps = Pick<
  PersonalDataDeps,
  "db" | "keks" | "signingKeys" | "pubsub" | "wallets" | "chains" | "logger" | "site" | "queueEmail"
>;

/** Executes all deletions that are due. A failed one is retried after two minutes. */
export async function runDeletions(deps: RunDeletionsDeps): Promise<void> {
  const { db, logger } = deps;
  for (;;) {
    const [claimed] = await db.query<{ id: string }>(CLAIM, []);
    const deletion = claimed && (await db.prisma.accountDeletion.findUnique({ where: { id: claimed.id } }));
    if (!deletion) return;
    try {
      await advanceDeletion(deps, deletion);
    } catch (error) {
      logger.error({ err: error, deletionId: deletion.id }, "Deletion of an account failed; retry scheduled");
    }
  }
}

/** Executes the deletion's steps until it is complete or must wait. */
async function advanceDeletion(deps: RunDeletionsDeps, deletion: AccountDeletion): Promise<void> {
  const { db, logger } = deps;
  const { id, accountId } = deletion;
  if ((await db.query(MAY_OWNER_SIGN_IN, [accountId])).length === 0) return await waitFor(deps, deletion, FREEZE);
  if (deletion.status === "scheduled") {
    // The balances last: closing erases the keys of the wallet.
    const obstacle = (await findOutstanding(db, accountId)) ?? (await checkBalances(deps, deletion));
    if (obstacle !== null) return await waitFor(deps, deletion, obstacle);
    try {
      if (!(await closeAccount(deps, deletion))) return;
    } catch (error) {
      if (error instanceof EmailInProgressError) return await waitFor(deps, deletion, EMAIL);
      throw error;
    }
  }
  // Orders and payments that started before the credentials ended.
  const outstanding = await findOutstanding(db, accountId);
  if (outstanding !== null) return await waitFor(deps, deletion, outstanding);
  await recordOrders(deps, accountId);
  const columns = await readColumns(db);
  do {
    for (const plan of PLAN) {
      await eraseRows(db, plan, columns.get(plan.table) ?? [], accountId);
      await db.query(RENEW, [id]);
    }
    // A request that was authenticated before the credentials ended may have added a row.
  } while ((await findRemaining(db, PLAN, accountId)) !== null);
  await db.query(COMPLETE, [id]);
  logger.info({ deletionId: id }, "Account deleted");
}

async function checkBalances(deps: RunDeletionsDeps, deletion: AccountDeletion): Promise<string | null> {
  try {
    const balances = await readWalletBalances(deps, deletion.accountId);
    const isCovered = findUnacknowledged(balances, readAcknowledged(deletion.acknowledged)).length === 0;
    return isCovered ? null : BALANCES;
  } catch (error) {
    if (error instanceof ChainUnavailableError) return CHAINS;
    throw error;
  }
}

async function waitFor(deps: RunDeletionsDeps, deletion: AccountDeletion, obstacle: string): Promise<void> {
  await deps.db.query(WAIT, [deletion.id, obstacle]);
  if (obstacle === BALANCES && deletion.waitingFor !== BALANCES) {
    await notifyDeletion(deps, deletion.accountId, "waiting", null);
  }
}
