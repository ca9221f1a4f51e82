/** Control of the sandbox's exchange, and balances of wallets, read through JSON-RPC. */
import type { SandboxEndpoints } from "../../sandbox/endpoints.ts";
import { callRpc } from "../support/usdc.ts";

export const NATIVE = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
export const USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
export const WETH = "0x4200000000000000000000000000000000000006";
export const DAI = "0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb";
export const AERO = "0x940181a94A35A4569E4529A3CDfB74e38FD98631";
export const PEBBLE = "0x9e66000000000000000000000000000000000001";
export const OLD = "0x01d0000000000000000000000000000000000001";
export const HOLDER = "0x0000000000001fF3684f28c67538d4D072C22734";

const word = (address: string) => address.slice(2).toLowerCase().padStart(64, "0");

export interface Market {
  readonly rpcUrl: string;
  /** Sets the exchange's fault; null clears it. */
  fault(fault: string | null): Promise<void>;
  fund(address: string, symbol: string, amountAtomic: bigint): Promise<void>;
  setNative(address: string, wei: bigint): Promise<void>;
  balance(token: string, owner: string): Promise<bigint>;
  /** Allowance of the exchange. */
  allowance(token: string, owner: string): Promise<bigint>;
  nonce(owner: string): Promise<number>;
  /** Calls `act` while blocks are mined only on request. `mine` mines one and resumes mining; it happens at the end at the latest. */
  withoutBlocks<Result>(act: (chain: HeldChain) => Promise<Result>): Promise<Result>;
}

export interface HeldChain {
  mine(): Promise<void>;
  /** Returns the next nonce after the transactions that wait for a block. */
  pendingNonce(owner: string): Promise<number>;
}

export function connectMarket(sandbox: Pick<SandboxEndpoints, "adminUrl" | "networks">): Market {
  const rpcUrl = sandbox.networks.base?.rpcUrl ?? "";
  const call = async (to: string, data: string) =>
    BigInt(await callRpc<string>(rpcUrl, "eth_call", [{ to, data }, "latest"]));
  const post = async (path: string, body: object) => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${sandbox.adminUrl}/dex${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
  };
  return {
    rpcUrl,
    fault: (fault) => post("/fault", { fault }),
    fund: (address, symbol, amountAtomic) => post("/fund", { address, symbol, amountAtomic: String(amountAtomic) }),
    setNative: (address, wei) => callRpc(rpcUrl, "anvil_setBalance", [address, `0x${wei.toString(16)}`]),
    balance: async (token, owner) =>
      token === NATIVE
        ? BigInt(await callRpc<string>(rpcUrl, "eth_getBalance", [owner, "latest"]))
        : await call(token, `0x70a08231${word(owner)}`),
    allowance: (token, owner) => call(token, `0xdd62ed3e${word(owner)}${word(HOLDER)}`),
    nonce: async (owner) => Number(await callRpc<string>(rpcUrl, "eth_getTransactionCount", [owner, "latest"])),
    async withoutBlocks(act) {
      const mine = async () => {
        await callRpc(rpcUrl, "evm_mine", []);
        await callRpc(rpcUrl, "evm_setAutomine", [true]);
      };
      const pendingNonce = async (owner: string) =>
        Number(await callRpc<string>(rpcUrl, "eth_getTransactionCount", [owner, "pending"]));
      await callRpc(rpcUrl, "evm_setAutomine", [false]);
      return await act({ mine, pendingNonce }).finally(mine);
    },
  };
}
