import { getAddress, type Hex } from "viem";
import { createBalanceCache } from "../balance-cache.ts";
import type { EvmChain } from "../chain.ts";
import type { EvmNetwork } from "../networks.ts";
import { transferAuthorizationState } from "./authorizations.ts";
import { permit2State } from "./permit2.ts";
import { PERMIT2 } from "./permit2-calls.ts";
import { allowanceReads, permitState } from "./permits.ts";
import { createEvmRpc, tokenAbi } from "./rpc.ts";
import { broadcast, prepareCall, transactionState } from "./transactions.ts";

/** Creates an EVM chain that uses the JSON-RPC at `rpcUrl`. */
export function createEvmChain(network: EvmNetwork, rpcUrl: string): EvmChain {
  const rpc = createEvmRpc(network, rpcUrl);
  const read = (address: Hex, functionName: "balanceOf" | "nonces" | "allowance", args: readonly Hex[]) =>
    rpc.request((client) => client.readContract({ address, abi: tokenAbi, functionName, args: args as never }));
  const balances = createBalanceCache((owner, asset) =>
    asset === "native"
      ? rpc.request((client) => client.getBalance({ address: owner as Hex }))
      : read(asset as Hex, "balanceOf", [owner as Hex]),
  );

  return {
    kind: "evm",
    network: network.name,
    rpc,
    tokenBalanceAtomic: (asset, owner) => balances.get(getAddress(owner), getAddress(asset)),
    nativeBalanceAtomic: (owner) => balances.get(getAddress(owner), "native"),
    invalidateBalances: (owner) => balances.invalidate(getAddress(owner)),
    permitNonce: (asset, owner) => read(asset, "nonces", [owner]),
    async allowance(address, owner, spender) {
      const { values, timestamp } = await rpc.readContractsAtOneBlock(allowanceReads(address, owner, spender));
      const [nextNonce, collectableAtomic] = values as [bigint, bigint];
      return { nextNonce, collectableAtomic, timestamp };
    },
    permit2AllowanceAtomic: (asset, owner) => read(asset, "allowance", [owner, PERMIT2]),
    transferAuthorizationState: (query) => transferAuthorizationState(rpc, query),
    permitState: (query) => permitState(rpc, query),
    permit2State: (query) => permit2State(rpc, query),
    prepareCall: (call) => prepareCall(rpc, call),
    broadcast: (signed) => broadcast(rpc, signed),
    transactionState: (txHash) => transactionState(rpc, txHash),
  };
}
