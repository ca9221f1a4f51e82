import type { AuthorizationState, Chains } from "../wallet/chain.ts";
import type { StoredAuthorization } from "./x402/authorization.ts";

/**
 * Reads the state of a signed authorization from the chain.
 * @param evidence `signature` is the payer's signature, by which a Solana transfer is found. `claimedTxHash` is the transaction
 *   the seller or the relay reported; it is unverified and only saves a search.
 */
export async function readAuthorizationState(
  chains: Chains,
  { network, authorization }: StoredAuthorization,
  evidence: { readonly signature: string; readonly claimedTxHash: string | null },
): Promise<AuthorizationState> {
  const { signature, claimedTxHash } = evidence;
  switch (authorization.kind) {
    case "eip3009": {
      const { asset, from, to, nonce } = authorization;
      const valueAtomic = BigInt(authorization.valueAtomic);
      const validBefore = BigInt(authorization.validBefore);
      const transfer = { asset, from, to, nonce, valueAtomic, validBefore, claimedTxHash };
      return await chains.evm(network).transferAuthorizationState(transfer);
    }
    case "permit": {
      const { asset, owner, spender } = authorization;
      const [nonce, deadline] = [BigInt(authorization.nonce), BigInt(authorization.deadline)];
      const valueAtomic = BigInt(authorization.valueAtomic);
      return await chains.evm(network).permitState({ asset, owner, spender, nonce, deadline, valueAtomic });
    }
    case "permit2": {
      const { asset, from: owner, spender, witness } = authorization;
      const [nonce, deadline] = [BigInt(authorization.nonce), BigInt(authorization.deadline)];
      const valueAtomic = BigInt(authorization.amountAtomic);
      const transfer = { asset, owner, spender, payTo: witness.to, nonce, deadline, valueAtomic, claimedTxHash };
      return await chains.evm(network).permit2State(transfer);
    }
    case "solana": {
      const { payer, asset, blockhash, lastValidBlockHeight, payTo } = authorization;
      const amountAtomic = BigInt(authorization.amountAtomic);
      const known = { payerSignature: signature, claimedTxHash, blockhash, lastValidBlockHeight };
      return await chains.solana(network).transferState({ ...known, payer, asset, payTo, amountAtomic });
    }
  }
}
