/** Finality of charges: a reorganisation can replace a charge below the authorized amount by a larger one. */
import type { AuthorizationState } from "../chain.ts";
import type { MulticallResult } from "./multicall.ts";
import type { EvmRpc } from "./rpc-client.ts";
import { getReceipt } from "./transactions.ts";

/**
 * Returns `state` without its charge if the charge releases money and its block is not final at the head `at`. A charge of
 * the whole amount releases nothing, so it needs no confirmations.
 */
export async function withFinalCharge(
  rpc: EvmRpc,
  at: MulticallResult,
  valueAtomic: bigint,
  state: AuthorizationState,
): Promise<AuthorizationState> {
  if (state.state !== "used" || state.txHash === null || state.chargedAtomic === null) return state;
  if (state.chargedAtomic >= valueAtomic) return state;
  const receipt = await getReceipt(rpc, state.txHash as `0x${string}`);
  const isFinal = receipt !== null && receipt.blockNumber + BigInt(rpc.network.confirmations) <= at.blockNumber;
  return isFinal ? state : { ...state, chargedAtomic: null };
}
