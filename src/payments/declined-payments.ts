/**
 * Record of payments that Satchel declined: the reason, the limit and the caller. They hold no money and are not in the ledger.
 * An account has a bounded number of rows an hour; further ones are counted in the last row. A job deletes old rows.
 */
import type { AccountViewer } from "../accounts/viewer.ts";
import type { Database, Statement } from "../platform/database/connection.ts";
import { ForbiddenError, ServiceError, UnauthorizedError } from "../platform/errors.ts";
import { newId } from "../platform/ids.ts";
import type { Logger } from "../platform/observability/logger.ts";
import { InsufficientBalanceError, SpendingLimitExceededError } from "../wallet/refusal-reason.ts";
import { PurchaseTokenUsedError } from "../wallet/reservation.ts";
import { PermitOutstandingError, X402NotEnabledError } from "./refusals.ts";
import { MaxValueExceededError, NoAcceptableRequirementError } from "./x402/choice.ts";

/** Rows of an account an hour. */
export const ROWS_PER_HOUR = 60;
const MAX_RESOURCE_CHARS = 2_048;
const MAX_MESSAGE_CHARS = 500;
const INSERT_ATTEMPTS = 4;

/** Errors by which a payment is declined. Others are failures of the seller or of the service. */
const REFUSALS = [
  SpendingLimitExceededError,
  InsufficientBalanceError,
  MaxValueExceededError,
  NoAcceptableRequirementError,
  X402NotEnabledError,
  PermitOutstandingError,
  PurchaseTokenUsedError,
  ForbiddenError,
  UnauthorizedError,
];

/** The payment that was declined. */
export interface DeclinedOrder {
  readonly type: "x402" | "gateway" | "transfer";
  /** The URL of the resource; null for a transfer. */
  readonly resource: string | null;
}

// The slot is the number of the row in its hour. The unique index on it bounds the rows under any number of concurrent inserts.
const INSERT: Statement = {
  name: "insert-declined-payment",
  text: `INSERT INTO declined_payments (id, account_id, hour, slot, type, reason, message, resource, network, amount_micro_usd,
      limit_owner, limit_period, limit_micro_usd, remaining_micro_usd, budget_ids)
    SELECT $1, $2::uuid, date_trunc('hour', now()), used.slots, $3, $4, $5, $6, $7, $8::bigint, $9, $10, $11::bigint, $12::bigint, $13::text[]
    FROM (SELECT count(*)::int AS slots FROM declined_payments WHERE account_id = $2::uuid AND hour = date_trunc('hour', now())) used
    WHERE used.slots < ${ROWS_PER_HOUR}
    ON CONFLICT (account_id, hour, slot) DO NOTHING RETURNING id`,
};

const COUNT_FURTHER: Statement = {
  name: "count-declined-payment",
  text: `UPDATE declined_payments SET occurrences = occurrences + 1, last_declined_at = now() WHERE id = (
      SELECT id FROM declined_payments WHERE account_id = $1::uuid AND hour = date_trunc('hour', now()) ORDER BY slot DESC LIMIT 1)`,
};

/** Runs the work of a payment and records its refusal, which is thrown unchanged. */
export async function recordingRefusal<Result>(
  deps: { readonly db: Database; readonly logger: Logger },
  account: AccountViewer,
  order: DeclinedOrder,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError && REFUSALS.some((kind) => error instanceof kind)) {
      // A refusal that cannot be recorded is still returned to the caller.
      await record(deps.db, account, order, error).catch((notRecorded: unknown) =>
        deps.logger.error({ err: notRecorded }, "Declined payment not recorded"),
      );
    }
    throw error;
  }
}

async function record(
  db: Database,
  { accountId, budgetIds }: AccountViewer,
  { type, resource }: DeclinedOrder,
  error: ServiceError,
): Promise<void> {
  const limit = error instanceof SpendingLimitExceededError ? error : null;
  const values = [
    accountId,
    type,
    error.code,
    error.message.slice(0, MAX_MESSAGE_CHARS).toWellFormed(),
    resource?.slice(0, MAX_RESOURCE_CHARS).toWellFormed() ?? null,
    "network" in error && typeof error.network === "string" ? error.network : null,
    requiredMicroUsd(error),
    limit?.owner ?? null,
    limit?.period ?? null,
    limit?.limitMicroUsd ?? null,
    limit?.remainingMicroUsd ?? null,
    budgetIds,
  ];
  for (let attempt = 1; attempt <= INSERT_ATTEMPTS; attempt++) {
    // A concurrent insert may have used the slot.
    if ((await db.query(INSERT, [newId("dp"), ...values])).length > 0) return;
  }
  await db.query(COUNT_FURTHER, [accountId]);
}

/** Returns the price, if the refusal has it. USDC, the only payment asset, has six decimals like micro-USD. */
function requiredMicroUsd(error: ServiceError): bigint | null {
  if (error instanceof SpendingLimitExceededError) return error.requiredMicroUsd;
  if (error instanceof MaxValueExceededError) return error.requiredAtomic;
  return error instanceof InsufficientBalanceError && error.symbol === "USDC" ? error.requiredAtomic : null;
}
