import type { RpcTransactionError } from "./errors.ts";

/** A token account's balance before or after a transaction, as JSON-RPC writes it. */
export interface TokenBalance {
  accountIndex: number;
  mint: string;
  owner: string;
  programId: string;
  uiTokenAmount: UiTokenAmount;
}

export interface UiTokenAmount {
  amount: string;
  decimals: number;
  uiAmount: number | null;
  uiAmountString: string;
}

export interface InnerInstructions {
  index: number;
  instructions: { programIdIndex: number; accounts: number[]; data: string; stackHeight: number }[];
}

/** One transaction that reached the chain, succeeded or failed. Lamports; `wire` is the signed transaction in base64. */
export interface TransactionRecord {
  signature: string;
  slot: number;
  blockTime: number;
  err: RpcTransactionError | null;
  wire: string;
  accountKeys: string[];
  logs: string[];
  computeUnits: number;
  fee: number;
  preBalances: number[];
  postBalances: number[];
  preTokenBalances: TokenBalance[];
  postTokenBalances: TokenBalance[];
  innerInstructions: InnerInstructions[];
}
