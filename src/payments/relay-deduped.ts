/** Bringing a signed transfer of our own to the chain, once at a time however often that is asked for. */
import type { Statement } from "../platform/database/connection.ts";
import { TransferFailedError } from "../wallet/chain.ts";
import { recordFailureReason } from "../wallet/ledger.ts";
import type { PaymentDeps } from "./deps.ts";
import { relay } from "./relay.ts";
import { authorizationExpiry, type StoredAuthorization } from "./x402/authorization.ts";

interface SignedTransfer {
  readonly id: string;
  readonly stored: StoredAuthorization;
  readonly signature: string;
  /** The transaction it was last sent in, which the chain does not know any more. */
  readonly claimedTxHash: string | null;
}

/** What the network would mine too late costs a fee and moves nothing. */
const TIME_TO_BE_MINED_MS = 20_000;

// Its turn may come late: by then another node may have sent it, or it has ended.
const STANDS: Statement = {
  name: "transfer-stands",
  text: `SELECT id FROM transactions
    WHERE id = $1 AND status = 'signed' AND signature = $2 AND claimed_tx_hash IS NOT DISTINCT FROM $3`,
};

/** By signature: what waits for its turn is not put in line again. */
const underWay = new Map<string, Promise<void>>();

/** Resolves once it is sent, or is not; a failure is logged, and the reconciling job asks for it again. Never rejects. */
export function relayDeduped(deps: PaymentDeps, transfer: SignedTransfer): Promise<void> {
  const { signature } = transfer;
  let relaying = underWay.get(signature);
  if (!relaying) {
    relaying = bringToChain(deps, transfer).finally(() => underWay.delete(signature));
    underWay.set(signature, relaying);
  }
  return relaying;
}

async function bringToChain(deps: PaymentDeps, transfer: SignedTransfer): Promise<void> {
  const { id, stored, signature, claimedTxHash } = transfer;
  const isDue = async () => {
    const expiry = authorizationExpiry(stored.authorization);
    if (expiry !== null && expiry.getTime() < Date.now() + TIME_TO_BE_MINED_MS) return false;
    return (await deps.db.query(STANDS, [id, signature, claimedTxHash])).length > 0;
  };
  try {
    const txHash = await relay(deps, stored, signature, isDue);
    if (txHash !== null) await deps.recorder.claimed({ id, txHash });
  } catch (error) {
    // It is tried again all the same until its authorization ends; then this is why.
    if (error instanceof TransferFailedError) await recordFailureReason(deps.db, id, error.message).catch(() => {});
    deps.logger.warn({ err: error, transactionId: id }, "transfer not relayed yet");
  }
  deps.reconciler.nudge();
}
