/**
 * Brings the ledger in line with the chain. What a shop claims only decides when to look; what the chain says decides
 * what is written: used → settled, dead → released, open → looked at again later.
 */
import type { Statement } from "../platform/database/connection.ts";
import type { AuthorizationState } from "../wallet/chain.ts";
import { release } from "../wallet/ledger.ts";
import { addressOn, findNetwork } from "../wallet/networks.ts";
import { authorizationState } from "./authorization-state.ts";
import type { PaymentDeps } from "./deps.ts";
import { relayDeduped } from "./relay-deduped.ts";
import { renewTransfer } from "./renew-transfer.ts";
import { publishTransaction } from "./transaction-events.ts";
import { readStoredAuthorization, type StoredAuthorization } from "./x402/authorization.ts";

const BATCH_SIZE = 100;
/** How long after its end the chain is asked what a used authorization cost (`AuthorizationState`). */
const UNKNOWN_CHARGE_MS = 3_600_000;
/** Looked up at the same time; more would only queue at the RPC. */
const CONCURRENCY = 50;

// Trades have transactions of their own, and a job that follows them. Taking a row moves its next look ahead, so that no other
// node takes it and a crash only means looking again: each time when it is three times as old, but soon after the first looks at one
// that nobody saw for long, and never far past the moment at which the authorization ends. Only what is open has a next look:
// asked for its status besides, the planner would take the queue for short, and sort all of a long one each time.
const TAKE_DUE: Statement = {
  name: "take-due-transactions",
  text: `UPDATE transactions SET check_attempts = check_attempts + 1,
      next_check_at = CASE WHEN status IN ('reserved', 'signed') THEN now() + least(
        greatest(interval '2 seconds',
          least(2 * (now() - coalesce(signed_at, created_at)), interval '10 seconds' * power(3, least(check_attempts, 4)))),
        greatest(coalesce(valid_before, now() + interval '90 seconds') - now(), interval '0 seconds') + interval '5 seconds'
          + interval '1 second' * least(check_attempts, 600)) END
    WHERE id IN (
      SELECT id FROM transactions WHERE next_check_at <= now() AND type <> 'trade'
      ORDER BY next_check_at LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED)
    RETURNING id, account_id AS "accountId", status, scheme, network, wallet_id AS "walletId", amount_atomic AS "amountAtomic",
      "authorization", signature, permit_slot AS "permitSlot", claimed_tx_hash AS "claimedTxHash", check_attempts AS "checkAttempts",
      valid_before AS "validBefore"`,
};

/** What is asked of a ledger row to look it up. */
interface DueTransaction {
  readonly id: string;
  readonly accountId: string;
  readonly status: string;
  /** Null for transfers of our own: withdrawals, and what the gateway charges for calls it has paid. */
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
}

/** Looks up what is due. Answers how many rows it took: a full batch means there is more. */
export async function reconcileDue(deps: PaymentDeps): Promise<number> {
  const rows = await deps.db.query<DueTransaction>(TAKE_DUE, []);
  for (let start = 0; start < rows.length; start += CONCURRENCY) {
    await Promise.all(rows.slice(start, start + CONCURRENCY).map((row) => reconcileOne(deps, row)));
  }
  return rows.length;
}

/** Looks up everything that is due, batch after batch. */
export async function reconcileAllDue(deps: PaymentDeps): Promise<void> {
  while ((await reconcileDue(deps)) === BATCH_SIZE);
}

async function reconcileOne(deps: PaymentDeps, row: DueTransaction): Promise<void> {
  try {
    if (row.status === "reserved") {
      // Its signature was never committed and therefore never left: nobody can collect.
      const released = await release(deps.db, row.id, "The payment was never signed.", ["reserved"]);
      await announce(deps, row, released !== null);
      return;
    }
    if (row.status !== "signed") {
      deps.logger.error({ transactionId: row.id, status: row.status }, "a payment that has ended was to be looked up");
      return;
    }
    const stored = readStoredAuthorization(row.authorization);
    const found = { signature: row.signature ?? "", claimedTxHash: row.claimedTxHash };
    const state = await authorizationState(deps.chains, stored, found);
    if (state.state === "open" && row.scheme === null) await relayAgain(deps, row, stored);
    await applyState(deps, row, state);
  } catch (error) {
    deps.logger.warn({ err: error, transactionId: row.id }, "payment not looked up; it will be again");
  }
}

/**
 * Such a transfer is ours to bring to the chain: if the process died, or the network dropped it, it is sent once more. Nobody
 * waits for its turn: all that is due meanwhile would wait too.
 */
async function relayAgain(deps: PaymentDeps, row: DueTransaction, stored: StoredAuthorization): Promise<void> {
  if (row.signature === null || row.checkAttempts < 2) return;
  if (row.claimedTxHash?.startsWith("0x")) {
    const known = await deps.chains.evm(stored.network).transactionState(row.claimedTxHash as `0x${string}`);
    if (known !== "unknown") return;
  }
  const { id, signature, claimedTxHash } = row;
  void relayDeduped(deps, { id, stored, signature, claimedTxHash });
}

async function applyState(deps: PaymentDeps, row: DueTransaction, state: AuthorizationState): Promise<void> {
  if (state.state === "open") return await freePermitSlot(deps, row);
  if (state.state === "dead") {
    if (row.scheme === null && (await renewTransfer(deps, row))) return;
    const released = await release(deps.db, row.id, "The authorization ended unused.");
    return await announce(deps, row, released !== null);
  }
  const reservedAtomic = BigInt(row.amountAtomic);
  const chargedAtomic = state.chargedAtomic ?? (isLongOver(row) ? reservedAtomic : null);
  // Used, but for how much is not known yet: it stays outstanding.
  if (chargedAtomic === null) return;
  if (state.chargedAtomic === null) {
    deps.logger.warn({ transactionId: row.id }, "the chain does not show what was charged: the whole amount counts");
  }
  if (chargedAtomic > reservedAtomic) {
    deps.logger.error({ transactionId: row.id }, "the chain shows more charged than was signed");
  }
  // The only asset paid with has as many decimals as micro-USD.
  const charged = { id: row.id, txHash: state.txHash, chargedAtomic, chargedMicroUsd: chargedAtomic };
  await announce(deps, row, await deps.recorder.settled(charged));
}

function isLongOver({ validBefore }: DueTransaction): boolean {
  return validBefore !== null && validBefore.getTime() + UNKNOWN_CHARGE_MS < Date.now();
}

/** A permit that was submitted and not drawn from stays open, but its nonce is used: the next permit may be signed. */
async function freePermitSlot(deps: PaymentDeps, row: DueTransaction): Promise<void> {
  if (row.permitSlot === null) return;
  const { network, authorization } = readStoredAuthorization(row.authorization);
  const permit = authorization.kind === "permit2" ? authorization.allowancePermit : authorization;
  if (permit?.kind !== "permit") return;
  const next = await deps.chains.evm(network).permitNonce(permit.asset, permit.owner);
  if (next <= BigInt(permit.nonce)) return;
  await deps.db.prisma.transaction.updateMany({ where: { id: row.id }, data: { permitSlot: null } });
}

async function announce(deps: PaymentDeps, row: DueTransaction, hasClosed: boolean): Promise<void> {
  if (!hasClosed) return;
  publishTransaction(deps.pubsub, row.accountId, row.id);
  const network = findNetwork(row.network ?? "");
  if (row.walletId === null || !network) return;
  deps.chains.any(network.name).forgetBalances(addressOn(network, await deps.wallets.byId(row.walletId)));
}
