import type { PublicClient } from "viem";
import type { EvmNetwork } from "../networks.ts";
import type { ContractRead, MulticallResult } from "./multicall.ts";

/** JSON-RPC client of one EVM network. `rpc.ts` implements it. */
export interface EvmRpc {
  readonly network: EvmNetwork;
  /** Batches concurrent `readContract` and `getBalance` calls into one multicall. Use it inside `request`. */
  readonly client: PublicClient;
  /** Runs `call` and converts any failure of the RPC to `ChainUnavailableError`. */
  request<T>(call: (client: PublicClient) => Promise<T>): Promise<T>;
  /** Checks the chain id. @throws {ChainUnavailableError} when the RPC serves another chain. */
  checkChain(): Promise<void>;
  /** Reads contracts and the clock at one block of the configured chain. Calls of one event loop iteration are batched. */
  readContractsAtOneBlock(readings: readonly ContractRead[]): Promise<MulticallResult>;
  /** Reads like `readContractsAtOneBlock` at the newest final block (`EvmNetwork.confirmations`). Null if there is none yet. */
  readContractsAtFinalBlock(readings: readonly ContractRead[]): Promise<MulticallResult | null>;
}
