/** Renewal of transfers whose authorization expired before they could be relayed. Without it they would be dropped silently. */
import { findFreeze } from "../accounts/freeze/freeze-state.ts";
import type { Statement } from "../platform/database/connection.ts";
import { NETWORKS } from "../wallet/networks.ts";
import type { PaymentDeps } from "./deps.ts";
import { relayDeduped } from "./relay-deduped.ts";
import { createTransferRequirement } from "./transfer-requirement.ts";
import { authorizationExpiry, readStoredAuthorization, type StoredAuthorization } from "./x402/authorization.ts";
import { buildAuthorization } from "./x402/build-authorization.ts";
import { signAuthorization } from "./x402/sign.ts";

/** The longest validity allowed, because the transfer has already expired in the queue once. */
const VALIDITY_SECONDS = 3_600;
const MAX_AGE_MS = 24 * 3_600_000;

// The new signature is released only if it replaces the one that the chain has shown dead.
const RENEW: Statement = {
  name: "renew-transfer",
  text: `UPDATE transactions SET "authorization" = $3::jsonb, nonce = $4, valid_before = $5, signature = $6,
      claimed_tx_hash = NULL, check_attempts = 0, next_check_at = now() + interval '5 seconds', updated_at = now()
    WHERE id = $1 AND status = 'signed' AND signature = $2 RETURNING id`,
};

/**
 * Authorizes an expired transfer again and relays it. Two authorizations can never both be used, because the chain no longer
 * accepts the former. A withdrawal that was refused or sent once is not renewed; a payment to the treasury is.
 *
 * @param dead the transaction, whose authorization the chain has shown to be expired and unused
 * @returns whether the transfer continues
 */
export async function renewTransfer(
  deps: PaymentDeps,
  dead: { readonly id: string; readonly authorization: unknown; readonly signature: string | null },
): Promise<boolean> {
  const { authorization, network: name } = readStoredAuthorization(dead.authorization);
  if (authorization.kind !== "eip3009") return false;
  const row = await deps.db.prisma.transaction.findUniqueOrThrow({ where: { id: dead.id } });
  const treasury = await deps.wallets.treasury();
  const isToTreasury = authorization.to === treasury.evmAddress;
  const wasAttempted = row.claimedTxHash !== null || row.failureReason !== null;
  if (row.walletId === null || row.createdAt.getTime() + MAX_AGE_MS < Date.now() || (wasAttempted && !isToTreasury))
    return false;

  // A withdrawal that expired during a freeze is released.
  if (!isToTreasury && (await findFreeze(deps.db, row.accountId)) !== null) return false;
  const own = await deps.wallets.payer({ accountId: row.accountId, walletId: row.walletId });
  const amountAtomic = BigInt(authorization.valueAtomic);
  const transfer = { payTo: authorization.to, amountAtomic, validitySeconds: VALIDITY_SECONDS };
  const requirement = createTransferRequirement(NETWORKS[name], treasury, transfer);
  const stored = await buildAuthorization({ chains: deps.chains, now: () => new Date() }, requirement, own);
  const signature = await signAuthorization(stored.authorization, own, deps.vault);
  const values = [dead.id, dead.signature, JSON.stringify(stored), nonceOf(stored), expiryOf(stored), signature];
  // No row means that another node has renewed it and continues there.
  if ((await deps.db.query(RENEW, values)).length > 0) {
    deps.logger.info({ transactionId: dead.id }, "Transfer authorization renewed");
    void relayDeduped(deps, { id: dead.id, stored, signature, claimedTxHash: null });
  }
  return true;
}

function nonceOf({ authorization }: StoredAuthorization): string | null {
  return "nonce" in authorization ? authorization.nonce : null;
}

function expiryOf({ authorization }: StoredAuthorization): Date | null {
  return authorizationExpiry(authorization);
}
