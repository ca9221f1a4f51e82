/** Relay of signed transfers, with concurrent requests for the same transfer merged into one. */
import { isOpen } from "../accounts/freeze/freeze-state.ts";
import type { Statement } from "../platform/database/connection.ts";
import { warnOfFailure } from "../platform/observability/failure-log.ts";
import { TransferFailedError } from "../wallet/chain.ts";
import { recordFailureReason } from "../wallet/ledger.ts";
import type { PaymentDeps } from "./deps.ts";
import { relay } from "./relay.ts";
import { authorizationExpiry, type StoredAuthorization } from "./x402/authorization.ts";

interface SignedTransfer {
  readonly id: string;
  readonly stored: StoredAuthorization;
  readonly signature: string;
  /** Hash of the last transaction that carried it, which the chain no longer knows; null if it was never sent. */
  readonly claimedTxHash: string | null;
}

/** Minimum validity left for a relay. A transaction mined after expiry costs a fee and moves no funds. */
const TIME_TO_BE_MINED_MS = 20_000;

// Checked when the transfer leaves the treasury queue: by then another node may have sent it, it may have ended, or the account may be
// frozen. The cost of a gateway call is charged despite a freeze, because the response was delivered.
const IS_STILL_SIGNED: Statement = {
  name: "transfer-stands",
  text: `SELECT t.id FROM transactions t JOIN accounts a ON a.id = t.account_id
    WHERE t.id = $1 AND t.status = 'signed' AND t.signature = $2 AND t.claimed_tx_hash IS NOT DISTINCT FROM $3
      AND (t.type = 'gateway' OR ${isOpen("a")})`,
};

/** Relays in flight, by signature: a queued transfer is not queued again. */
const inFlight = new Map<string, Promise<void>>();

/**
 * Relays a transfer, or joins its relay in flight. Resolves once it is sent or has failed. A failure is logged, and the
 * reconciliation job retries. Never rejects.
 */
export function relayDeduped(deps: PaymentDeps, transfer: SignedTransfer): Promise<void> {
  const { signature } = transfer;
  let relaying = inFlight.get(signature);
  if (!relaying) {
    relaying = relayAndRecord(deps, transfer).finally(() => inFlight.delete(signature));
    inFlight.set(signature, relaying);
  }
  return relaying;
}

async function relayAndRecord(deps: PaymentDeps, transfer: SignedTransfer): Promise<void> {
  const { id, stored, signature, claimedTxHash } = transfer;
  const isDue = async () => {
    const expiry = authorizationExpiry(stored.authorization);
    if (expiry !== null && expiry.getTime() < Date.now() + TIME_TO_BE_MINED_MS) return false;
    return (await deps.db.query(IS_STILL_SIGNED, [id, signature, claimedTxHash])).length > 0;
  };
  try {
    const txHash = await relay(deps, stored, signature, isDue);
    if (txHash !== null) await deps.recorder.recordClaim({ id, txHash });
  } catch (error) {
    // The relay is retried until the authorization expires; the reason is recorded for that case.
    if (error instanceof TransferFailedError) await recordFailureReason(deps.db, id, error.message).catch(() => {});
    const fields = { transactionId: id, network: stored.network };
    warnOfFailure(deps.logger, error, fields, "Transfer relay failed; retry scheduled");
  }
  deps.reconciler.wake();
}
