/** Charge of a call's actual cost to the caller's wallet: a transfer of exactly that amount, signed and submitted to the chain. */
import type { AccountViewer } from "../accounts/viewer.ts";
import { relayDeduped } from "../payments/relay-deduped.ts";
import { signAndRecord } from "../payments/signed-payment.ts";
import { createTransferRequirement } from "../payments/transfer-requirement.ts";
import { authorizationExpiry } from "../payments/x402/authorization.ts";
import { buildAuthorization } from "../payments/x402/build-authorization.ts";
import type { Statement } from "../platform/database/connection.ts";
import type { EvmNetwork } from "../wallet/networks.ts";
import type { GatewayDeps } from "./deps.ts";

/** The maximum validity of an authorization. The caller owes the cost even if the chain is congested. */
const VALIDITY_SECONDS = 3_600;

const STORE: Statement = {
  name: "store-gateway-authorization",
  text: `UPDATE transactions SET "authorization" = $2::jsonb, nonce = $3, valid_before = $4,
      next_check_at = now() + interval '60 seconds', updated_at = now()
    WHERE id = $1 AND status = 'reserved' RETURNING id`,
};

/** Charges the cost to the wallet. The row settles, and releases the unused reservation, once the transfer is on chain. */
export async function chargeWallet(
  deps: GatewayDeps,
  { accountId }: AccountViewer,
  network: EvmNetwork,
  transactionId: string,
  costAtomic: bigint,
): Promise<void> {
  const [accountWallet, treasury] = await Promise.all([deps.wallets.ofAccount(accountId), deps.wallets.treasury()]);
  const transfer = { payTo: treasury.evmAddress, amountAtomic: costAtomic, validitySeconds: VALIDITY_SECONDS };
  const requirement = createTransferRequirement(network, treasury, transfer);
  const stored = await buildAuthorization({ chains: deps.chains, now: () => new Date() }, requirement, accountWallet);
  const { authorization } = stored;
  const nonce = "nonce" in authorization ? authorization.nonce : null;
  const values = [transactionId, JSON.stringify(stored), nonce, authorizationExpiry(authorization)];
  const [row] = await deps.db.query(STORE, values);
  if (!row) {
    deps.logger.error({ transactionId }, "Reservation expired before the end of the call; the call is not charged");
    return;
  }
  const signature = await signAndRecord(deps, transactionId, stored, accountWallet);
  // Runs in the background: a signed transfer is resubmitted until it ends.
  void relayDeduped(deps, { id: transactionId, stored, signature, claimedTxHash: null });
}
