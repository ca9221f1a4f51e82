/** USDC balances read over plain JSON-RPC, independently of the service's own readers. */
import { vi } from "vitest";
import type { SandboxNetwork } from "../../sandbox/endpoints.ts";

let lastId = 0;

export async function callRpc<Result>(rpcUrl: string, method: string, params: unknown[]): Promise<Result> {
  lastId += 1;
  const response = await fetch(rpcUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: lastId, method, params }),
  });
  const { result, error } = (await response.json()) as { result: Result; error?: { message: string } };
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

/** Returns the balance of `owner` in atomic units. */
export async function readUsdcBalance({ rpcUrl, usdc, chainId }: SandboxNetwork, owner: string): Promise<bigint> {
  if (chainId !== undefined) {
    const data = `0x70a08231${owner.slice(2).toLowerCase().padStart(64, "0")}`;
    return BigInt(await callRpc<string>(rpcUrl, "eth_call", [{ to: usdc, data }, "latest"]));
  }
  const config = [owner, { mint: usdc }, { encoding: "jsonParsed" }];
  const { value } = await callRpc<{ value: SolanaTokenAccount[] }>(rpcUrl, "getTokenAccountsByOwner", config);
  return value.reduce((sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount), 0n);
}

interface SolanaTokenAccount {
  readonly account: { readonly data: { readonly parsed: { readonly info: { tokenAmount: { amount: string } } } } };
}

/** Waits for the transaction and returns whether it succeeded. */
export async function didSucceed({ rpcUrl, chainId }: SandboxNetwork, txHash: string): Promise<boolean> {
  const readReceipt = () => callRpc<{ status: string } | null>(rpcUrl, "eth_getTransactionReceipt", [txHash]);
  const readStatus = async () => {
    const { value } = await callRpc<{ value: ({ err: unknown } | null)[] }>(rpcUrl, "getSignatureStatuses", [[txHash]]);
    return value[0];
  };
  if (chainId !== undefined) return (await vi.waitUntil(readReceipt, { timeout: 30_000 })).status === "0x1";
  return (await vi.waitUntil(readStatus, { timeout: 30_000 })).err === null;
}

/** Calls `act`, then reverts the EVM chain and its clock to their previous state. */
export async function withChainSnapshot(chain: SandboxNetwork, act: () => Promise<void>): Promise<void> {
  const snapshot = await callRpc<string>(chain.rpcUrl, "evm_snapshot", []);
  try {
    await act();
  } finally {
    await callRpc(chain.rpcUrl, "evm_revert", [snapshot]);
  }
}

/**
 * Advances an EVM chain's clock, so that earlier signatures expire. Later authorizations are already expired on this chain.
 * Call it last, or within `withChainSnapshot`.
 */
export async function advanceChainTime({ rpcUrl }: SandboxNetwork, seconds: number): Promise<void> {
  await callRpc(rpcUrl, "evm_increaseTime", [seconds]);
  await callRpc(rpcUrl, "evm_mine", []);
}
