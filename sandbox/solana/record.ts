import type { RpcTransactionError } from "./errors.ts";

/** The balance of a token account before or after a transaction, in the format of JSON-RPC. */
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

/** A transaction on chain, successful or failed. Amounts are in lamports; `wire` is the signed transaction in base64. */
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
