/** What a call really cost, taken from the caller's wallet: signed for that amount exactly, and brought to the chain. */
import type { AccountViewer } from "../accounts/viewer.ts";
import { relayDeduped } from "../payments/relay-deduped.ts";
import { signAndRecord } from "../payments/signed-payment.ts";
import { transferRequirement } from "../payments/transfer-requirement.ts";
import { authorizationExpiry } from "../payments/x402/authorization.ts";
import { buildAuthorization } from "../payments/x402/build-authorization.ts";
import type { Statement } from "../platform/database/connection.ts";
import type { EvmNetwork } from "../wallet/networks.ts";
import type { GatewayDeps } from "./deps.ts";

/** As long as an authorization may be good: whoever has had the answer owes it, however busy the chain is. */
const VALIDITY_SECONDS = 3_600;

const STORE: Statement = {
  name: "store-gateway-authorization",
  text: `UPDATE transactions SET "authorization" = $2::jsonb, nonce = $3, valid_before = $4,
      next_check_at = now() + interval '60 seconds', updated_at = now()
    WHERE id = $1 AND status = 'reserved' RETURNING id`,
};

/** The row settles, and gives back the rest of what it reserved, once the chain has taken it. */
export async function chargeWallet(
  deps: GatewayDeps,
  { accountId }: AccountViewer,
  network: EvmNetwork,
  transactionId: string,
  costAtomic: bigint,
): Promise<void> {
  const [own, treasury] = await Promise.all([deps.wallets.ofAccount(accountId), deps.wallets.treasury()]);
  const transfer = { payTo: treasury.evmAddress, amountAtomic: costAtomic, validitySeconds: VALIDITY_SECONDS };
  const requirement = transferRequirement(network, treasury, transfer);
  const stored = await buildAuthorization({ chains: deps.chains, now: () => new Date() }, requirement, own);
  const { authorization } = stored;
  const nonce = "nonce" in authorization ? authorization.nonce : null;
  const values = [transactionId, JSON.stringify(stored), nonce, authorizationExpiry(authorization)];
  const [row] = await deps.db.query(STORE, values);
  if (!row) {
    deps.logger.error({ transactionId }, "a call outlived its reservation and is not charged");
    return;
  }
  const signature = await signAndRecord(deps, transactionId, stored, own);
  // Nobody waits for the network: what is signed is sent again until it ends.
  void relayDeduped(deps, { id: transactionId, stored, signature, claimedTxHash: null });
}
