import type { PublicClient } from "viem";
import type { EvmNetwork } from "../networks.ts";
import type { MulticallResult, Reading } from "./readings.ts";

/** One EVM network's JSON-RPC, as `evm-rpc.ts` opens it. */
export interface EvmRpc {
  readonly network: EvmNetwork;
  /** Concurrent `readContract` and `getBalance` calls travel as one multicall. Use it inside `ask`. */
  readonly client: PublicClient;
  /** Runs `question`; any failure of the RPC becomes `ChainUnavailableError`. */
  ask<T>(question: (client: PublicClient) => Promise<T>): Promise<T>;
  /** @throws {ChainUnavailableError} when the RPC serves another chain. */
  checkChain(): Promise<void>;
  /** Reads contracts and clock at one and the same block, of the right chain. All that is asked in one turn travels together. */
  readAtOneBlock(readings: readonly Reading[]): Promise<MulticallResult>;
}
