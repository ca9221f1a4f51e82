import type { Connection } from "@solana/web3.js";
import type { SolanaNetwork } from "../networks.ts";

/** JSON-RPC client of one Solana cluster. `rpc.ts` implements it. */
export interface SolanaRpc {
  readonly network: SolanaNetwork;
  /** Reads at commitment `confirmed` by default. Use it inside `request`. */
  readonly connection: Connection;
  /** Runs `call` and converts any failure of the RPC to `ChainUnavailableError`. */
  request<T>(call: (connection: Connection) => Promise<T>): Promise<T>;
  /** Returns slot and block height at commitment `finalized`, which no fork can replace. */
  readFinalized(): Promise<{ readonly slot: number; readonly blockHeight: number }>;
}
