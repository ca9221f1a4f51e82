/** USDC as the chains themselves tell it, read by plain JSON-RPC: a second opinion beside the service's own readers. */
import { vi } from "vitest";
import type { SandboxNetwork } from "../../sandbox/endpoints.ts";

let lastId = 0;

export async function rpc<Result>(rpcUrl: string, method: string, params: unknown[]): Promise<Result> {
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

/** What `owner` holds, in atomic units. */
export async function usdcOf({ rpcUrl, usdc, chainId }: SandboxNetwork, owner: string): Promise<bigint> {
  if (chainId !== undefined) {
    const data = `0x70a08231${owner.slice(2).toLowerCase().padStart(64, "0")}`;
    return BigInt(await rpc<string>(rpcUrl, "eth_call", [{ to: usdc, data }, "latest"]));
  }
  const config = [owner, { mint: usdc }, { encoding: "jsonParsed" }];
  const { value } = await rpc<{ value: SolanaTokenAccount[] }>(rpcUrl, "getTokenAccountsByOwner", config);
  return value.reduce((sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount), 0n);
}

interface SolanaTokenAccount {
  readonly account: { readonly data: { readonly parsed: { readonly info: { tokenAmount: { amount: string } } } } };
}

/** Whether this transaction succeeded, once the chain has it. */
export async function didSucceed({ rpcUrl, chainId }: SandboxNetwork, txHash: string): Promise<boolean> {
  const readReceipt = () => rpc<{ status: string } | null>(rpcUrl, "eth_getTransactionReceipt", [txHash]);
  const readStatus = async () => {
    const { value } = await rpc<{ value: ({ err: unknown } | null)[] }>(rpcUrl, "getSignatureStatuses", [[txHash]]);
    return value[0];
  };
  if (chainId !== undefined) return (await vi.waitUntil(readReceipt, { timeout: 30_000 })).status === "0x1";
  return (await vi.waitUntil(readStatus, { timeout: 30_000 })).err === null;
}

/** Does something on an EVM chain, and takes the chain and its clock back to where they were. */
export async function goBackAfter(chain: SandboxNetwork, act: () => Promise<void>): Promise<void> {
  const snapshot = await rpc<string>(chain.rpcUrl, "evm_snapshot", []);
  try {
    await act();
  } finally {
    await rpc(chain.rpcUrl, "evm_revert", [snapshot]);
  }
}

/**
 * Moves an EVM chain's clock past whatever was signed before. Later authorizations end in this chain's past: do it last, or
 * go back after it.
 */
export async function passTime({ rpcUrl }: SandboxNetwork, seconds: number): Promise<void> {
  await rpc(rpcUrl, "evm_increaseTime", [seconds]);
  await rpc(rpcUrl, "evm_mine", []);
}
