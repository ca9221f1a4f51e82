/**
 * Reconciliation of the ledger with the chain. A seller's claim only decides when the chain is checked. The state on chain decides
 * the transition: used → settled, dead → released, open → checked again later. A granted permit is revoked, and its payment
 * remains outstanding until the revocation is final.
 */
import { randomUUID } from "node:crypto";
import type { Statement } from "../platform/database/connection.ts";
import { selectDueFairly } from "../platform/database/due-owners.ts";
import { warnOfFailure } from "../platform/observability/failure-log.ts";
import { carryOverPermits } from "../wallet/carry-over.ts";
import { type AuthorizationState, ChainUnavailableError, type PermitGrant } from "../wallet/chain.ts";
import { release } from "../wallet/ledger.ts";
import { addressOn, findNetwork } from "../wallet/networks.ts";
import { readAuthorizationState } from "./authorization-state.ts";
import type { PaymentDeps } from "./deps.ts";
import { followRevocations } from "./follow-revocations.ts";
import { relayDeduped } from "./relay-deduped.ts";
import { renewTransfer } from "./renew-transfer.ts";
import { revokePermit } from "./revoke-permit.ts";
import { publishTransaction } from "./transaction-events.ts";
import { readStoredAuthorization, type StoredAuthorization } from "./x402/authorization.ts";

const BATCH_SIZE = 100;
/** Accounts visited by a fair lease, and the most rows that it leases of one. */
const MAX_ACCOUNTS = 500;
const MAX_PER_ACCOUNT = 10;
/** Time after expiry during which the chain is checked for the charged amount of a used authorization (`AuthorizationState`). */
const UNKNOWN_CHARGE_MS = 3_600_000;
/** Number of concurrent look-ups; more would only queue at the RPC. */
const CONCURRENCY = 50;
/** Look-ups that must fail together before a network counts as unavailable. */
const MIN_UNREACHABLE = 5;

// Trades have their own transactions and job. Leasing a row advances next_check_at, so no other node leases it and after a crash
// it becomes due again. The next check comes at three times the row's age, capped by a backoff from 10 s (factor 3 an attempt), so
// a row left unchecked for long is soon rechecked. It is never much later than the expiry of the authorization. Only open rows have
// next_check_at. With a condition on status as well, the planner underestimates the queue and sorts all of a long one each time.
const leaseOf = (ids: string) => `UPDATE transactions SET check_attempts = check_attempts + 1,
      next_check_at = CASE WHEN status IN ('reserved', 'signed') THEN now() + least(
        greatest(interval '2 seconds',
          least(2 * (now() - coalesce(signed_at, created_at)), interval '10 seconds' * power(3, least(check_attempts, 4)))),
        greatest(coalesce(valid_before, now() + interval '90 seconds') - now(), interval '0 seconds') + interval '5 seconds'
          + interval '1 second' * least(check_attempts, 600)) END
    WHERE id = ANY(ARRAY(${ids}))
    RETURNING id, account_id AS "accountId", status, scheme, network, wallet_id AS "walletId", amount_atomic AS "amountAtomic",
      "authorization", signature, permit_slot AS "permitSlot", claimed_tx_hash AS "claimedTxHash", check_attempts AS "checkAttempts",
      valid_before AS "validBefore", pay_to AS "payTo", resource`;

const LEASE_DUE: Statement = {
  name: "take-due-transactions",
  text: leaseOf(`
      SELECT id FROM transactions WHERE next_check_at <= now() AND type <> 'trade'
      ORDER BY next_check_at LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED`),
};

// Visiting accounts costs more than reading the oldest rows, so it is for backlogs only.
const LEASE_DUE_FAIRLY: Statement = {
  name: "take-due-transactions-of-each-account",
  text: leaseOf(
    selectDueFairly(
      { table: "transactions", owner: "account_id", dueAt: "next_check_at" },
      {
        ...{ start: "$1::uuid", maxOwners: MAX_ACCOUNTS, maxPerOwner: MAX_PER_ACCOUNT, maxRows: BATCH_SIZE },
        condition: "q.type <> 'trade'",
      },
    ),
  ),
};

// What a block contains now is final after 30 seconds on Base.
const CHECK_ONCE_FINAL: Statement = {
  name: "check-once-final",
  text: `UPDATE transactions SET next_check_at = least(next_check_at, now() + interval '32 seconds')
    WHERE id = $1 AND next_check_at IS NOT NULL`,
};

// A revocation that another node has started holds the slot.
const RELEASE_PERMIT_SLOT: Statement = {
  name: "release-permit-slot",
  text: `UPDATE transactions t SET permit_slot = NULL, next_check_at = least(next_check_at, now() + interval '32 seconds')
    WHERE t.id = $1 AND t.next_check_at IS NOT NULL
      AND NOT EXISTS (SELECT FROM permit_revocations r WHERE r.transaction_id = t.id AND r.status = 'signed')`,
};

/** The columns of a ledger row that reconciliation reads. */
interface DueTransaction {
  readonly id: string;
  readonly accountId: string;
  readonly status: string;
  /** Null for transfers that Satchel relays: withdrawals and gateway charges. */
  readonly scheme: string | null;
  readonly network: string | null;
  readonly walletId: string | null;
  readonly amountAtomic: string;
  readonly authorization: unknown;
  readonly signature: string | null;
  readonly permitSlot: string | null;
  readonly claimedTxHash: string | null;
  readonly checkAttempts: number;
  readonly validBefore: Date | null;
  readonly payTo: string | null;
  readonly resource: string | null;
}

/** Reconciles one batch of due transactions. Returns the number of leased rows; a full batch means more are due. */
export async function reconcileDue(deps: PaymentDeps, unavailable = new Set<string>()): Promise<number> {
  return await reconcileRows(deps, await deps.db.query<DueTransaction>(LEASE_DUE, []), unavailable);
}

/**
 * Reconciles leased rows. Skips rows of networks that are found unavailable, which are due again later.
 * @param unavailable networks found unavailable in this run; adds those of which no look-up of a group succeeded
 */
async function reconcileRows(
  deps: PaymentDeps,
  rows: readonly DueTransaction[],
  unavailable: Set<string>,
): Promise<number> {
  for (let start = 0; start < rows.length; start += CONCURRENCY) {
    const group = rows.slice(start, start + CONCURRENCY).filter(({ network }) => !unavailable.has(network ?? ""));
    const results = await Promise.all(
      group.map(async (row) => ({ network: row.network ?? "", isReachable: await reconcileOne(deps, row) })),
    );
    for (const [network, ofNetwork] of Map.groupBy(results, (result) => result.network)) {
      const areAllUnreachable = ofNetwork.every(({ isReachable }) => !isReachable);
      if (areAllUnreachable && ofNetwork.length >= MIN_UNREACHABLE) unavailable.add(network);
    }
  }
  return rows.length;
}

/**
 * Reconciles all due transactions, batch after batch, and the pending revocations of permits. A full batch may be of one account,
 * so one with rows of each account follows it.
 */
export async function reconcileAllDue(deps: PaymentDeps): Promise<void> {
  await carryOverPermits(deps.db, null);
  await followRevocations(deps);
  const unavailable = new Set<string>();
  while ((await reconcileDue(deps, unavailable)) === BATCH_SIZE) {
    const rows = await deps.db.query<DueTransaction>(LEASE_DUE_FAIRLY, [randomUUID()]);
    await reconcileRows(deps, rows, unavailable);
  }
}

/** Reconciles one row; never rejects. Returns false if its network is unavailable. */
async function reconcileOne(deps: PaymentDeps, row: DueTransaction): Promise<boolean> {
  try {
    if (row.status === "reserved") {
      // The signature was never committed and therefore never left the process, so no seller can redeem it.
      const released = await release(deps.db, row.id, "The payment was never signed.", ["reserved"]);
      await publishClosed(deps, row, released !== null);
      return true;
    }
    if (row.status !== "signed") {
      deps.logger.error({ transactionId: row.id, status: row.status }, "Closed payment was due for reconciliation");
      return true;
    }
    const stored = readStoredAuthorization(row.authorization);
    const evidence = { signature: row.signature ?? "", claimedTxHash: row.claimedTxHash };
    const state = await readAuthorizationState(deps.chains, stored, evidence);
    if (state.state === "open" && row.scheme === null) await relayIfLost(deps, row, stored);
    if (state.state === "granted") await applyGrant(deps, row, stored, state);
    else await applyState(deps, row, stored, state);
    return true;
  } catch (error) {
    const fields = { transactionId: row.id, network: row.network };
    warnOfFailure(deps.logger, error, fields, "Payment reconciliation failed; retry scheduled");
    return !(error instanceof ChainUnavailableError);
  }
}

/**
 * Relays a transfer again if the process died before relaying it or the network dropped it. The relay is not awaited, because it
 * may queue at the treasury and would delay the other due rows.
 */
async function relayIfLost(deps: PaymentDeps, row: DueTransaction, stored: StoredAuthorization): Promise<void> {
  if (row.signature === null || row.checkAttempts < 2) return;
  if (row.claimedTxHash?.startsWith("0x")) {
    const known = await deps.chains.evm(stored.network).transactionState(row.claimedTxHash as `0x${string}`);
    if (known !== "unknown") return;
  }
  const { id, signature, claimedTxHash } = row;
  void relayDeduped(deps, { id, stored, signature, claimedTxHash });
}

async function applyGrant(
  deps: PaymentDeps,
  row: DueTransaction,
  stored: StoredAuthorization,
  grant: PermitGrant,
): Promise<void> {
  const { authorization, network } = stored;
  const isRevoking = authorization.kind === "permit" && (await revokePermit(deps, row, network, authorization, grant));
  if (!isRevoking) await releasePermitSlot(deps, row, stored);
}

async function applyState(
  deps: PaymentDeps,
  row: DueTransaction,
  stored: StoredAuthorization,
  state: Exclude<AuthorizationState, { state: "granted" }>,
): Promise<void> {
  if (state.state === "open") return await releasePermitSlot(deps, row, stored);
  if (state.state === "dead") {
    if (row.scheme === null && (await renewTransfer(deps, row))) return;
    const released = await release(deps.db, row.id, "The authorization expired unused.");
    return await publishClosed(deps, row, released !== null);
  }
  const reservedAtomic = BigInt(row.amountAtomic);
  const chargedAtomic = state.chargedAtomic ?? (isPastUnknownCharge(row) ? reservedAtomic : null);
  // Used, but the charged amount is not known or not final yet: the row remains outstanding.
  if (chargedAtomic === null) {
    await releasePermitSlot(deps, row, stored);
    if (state.txHash !== null) await deps.db.query(CHECK_ONCE_FINAL, [row.id]);
    return;
  }
  if (state.chargedAtomic === null) {
    deps.logger.warn({ transactionId: row.id }, "Charged amount not found on chain; settled with the reserved amount");
  }
  if (chargedAtomic > reservedAtomic) {
    deps.logger.error({ transactionId: row.id }, "Charged amount on chain exceeds the signed amount");
  }
  // USDC, the only payment asset, has six decimals like micro-USD.
  const charged = { id: row.id, txHash: state.txHash, chargedAtomic, chargedMicroUsd: chargedAtomic };
  await publishClosed(deps, row, await deps.recorder.recordSettlement(charged));
}

/** Returns whether an unknown charge now counts as the whole amount (`UNKNOWN_CHARGE_MS`). */
function isPastUnknownCharge({ validBefore }: DueTransaction): boolean {
  return validBefore !== null && validBefore.getTime() + UNKNOWN_CHARGE_MS < Date.now();
}

/** Releases the permit slot once the permit's nonce is used, even while the payment is open: the next permit may be signed. */
async function releasePermitSlot(
  deps: PaymentDeps,
  row: DueTransaction,
  { network, authorization }: StoredAuthorization,
): Promise<void> {
  if (row.permitSlot === null) return;
  const permit = authorization.kind === "permit2" ? authorization.allowancePermit : authorization;
  if (permit?.kind !== "permit") return;
  const next = await deps.chains.evm(network).permitNonce(permit.asset, permit.owner);
  if (next <= BigInt(permit.nonce)) return;
  await deps.db.query(RELEASE_PERMIT_SLOT, [row.id]);
}

async function publishClosed(deps: PaymentDeps, row: DueTransaction, hasClosed: boolean): Promise<void> {
  if (!hasClosed) return;
  publishTransaction(deps.pubsub, row.accountId, row.id);
  const network = findNetwork(row.network ?? "");
  if (row.walletId === null || !network) return;
  const wallet = await deps.wallets.payer({ accountId: row.accountId, walletId: row.walletId });
  deps.chains.unchecked(network.name).invalidateBalances(addressOn(network, wallet));
}
