/** A transfer of our own whose authorization ended before it could be sent is authorized anew, and not dropped without a word. */
import type { Statement } from "../platform/database/connection.ts";
import { NETWORKS } from "../wallet/networks.ts";
import type { PaymentDeps } from "./deps.ts";
import { relayDeduped } from "./relay-deduped.ts";
import { transferRequirement } from "./transfer-requirement.ts";
import { authorizationExpiry, readStoredAuthorization, type StoredAuthorization } from "./x402/authorization.ts";
import { buildAuthorization } from "./x402/build-authorization.ts";
import { signAuthorization } from "./x402/sign.ts";

/** As long as an authorization may be good: it has waited for its turn once already. */
const VALIDITY_SECONDS = 3_600;
const MAX_AGE_MS = 24 * 3_600_000;

// The new signature leaves only where it takes the place of the one that the chain has shown dead.
const RENEW: Statement = {
  name: "renew-transfer",
  text: `UPDATE transactions SET "authorization" = $3::jsonb, nonce = $4, valid_before = $5, signature = $6,
      claimed_tx_hash = NULL, check_attempts = 0, next_check_at = now() + interval '5 seconds', updated_at = now()
    WHERE id = $1 AND status = 'signed' AND signature = $2 RETURNING id`,
};

/**
 * Authorizes the same transfer again and has it sent: no two authorizations of it can ever be used, for the chain will not take
 * the former one any more. A withdrawal that the network has refused, or that was sent and got lost, is left to end; what is
 * owed to this service is not.
 * @param dead its transaction, of which the chain has shown that it ended unused
 * @returns whether it goes on
 */
export async function renewTransfer(
  deps: PaymentDeps,
  dead: { readonly id: string; readonly authorization: unknown; readonly signature: string | null },
): Promise<boolean> {
  const { authorization, network: name } = readStoredAuthorization(dead.authorization);
  if (authorization.kind !== "eip3009") return false;
  const row = await deps.db.prisma.transaction.findUniqueOrThrow({ where: { id: dead.id } });
  const treasury = await deps.wallets.treasury();
  const isOwed = authorization.to === treasury.evmAddress;
  const hadItsTurn = row.claimedTxHash !== null || row.failureReason !== null;
  if (row.walletId === null || row.createdAt.getTime() + MAX_AGE_MS < Date.now() || (hadItsTurn && !isOwed))
    return false;

  const own = await deps.wallets.byId(row.walletId);
  const amountAtomic = BigInt(authorization.valueAtomic);
  const asked = { payTo: authorization.to, amountAtomic, validitySeconds: VALIDITY_SECONDS };
  const requirement = transferRequirement(NETWORKS[name], treasury, asked);
  const stored = await buildAuthorization({ chains: deps.chains, now: () => new Date() }, requirement, own);
  const signature = await signAuthorization(stored.authorization, own, deps.vault);
  const values = [dead.id, dead.signature, JSON.stringify(stored), nonceOf(stored), expiryOf(stored), signature];
  // Otherwise another node was quicker, and it goes on there.
  if ((await deps.db.query(RENEW, values)).length > 0) {
    deps.logger.info({ transactionId: dead.id }, "transfer authorized anew");
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
