/** Faults that the exchange can be set to, each with its description. */
export const FAULTS = {
  // Responses of the HTTP interface.
  "error-500": "responds with status 500",
  "rate-limited": "responds with status 429",
  garbage: "responds with invalid JSON",
  hangs: "does not respond",
  "no-liquidity": "has no liquidity",
  // Refusals with the names and statuses of 0x.
  "wrong-key": "rejects the API key",
  "sell-token-restricted": "may not sell the token",
  "buy-token-restricted": "may not buy the token",
  "taker-restricted": "may not trade for the wallet",
  "insufficient-balance": "finds too low a balance",
  "pair-not-supported": "does not trade the pair",
  "invalid-input": "rejects the amount as invalid",
  // Quotes that a careful client rejects.
  "low-minimum": "guarantees half of the requested minimum",
  spender: "requires the allowance and the transaction for an unknown address",
  "settler-spender": "requires the allowance for its settler",
  "token-call": "makes the wallet transfer its tokens to an unknown address",
  recipient: "pays an unknown address",
  "other-buy-token": "guarantees another token",
  "more-than-asked": "sells twice the requested amount",
  "more-value": "sends ether in addition",
  "stale-price": "quotes a fifth more than its pools pay",
  // Faults that appear only on chain, not in a simulation.
  reverts: "reverts",
  "pays-nothing": "transfers the tokens and pays nothing",
  "pays-less": "pays half of the guaranteed minimum",
  "pays-stranger": "pays an unknown address",
  "pays-other-token": "pays another token",
  "takes-half": "transfers half of the sold amount and leaves the rest of the allowance",
} as const;

export type Fault = keyof typeof FAULTS;

/** Status and name of each refusal (docs.0x.org, "API issues"). */
export const REFUSALS: Partial<Record<Fault, readonly [number, string]>> = {
  "sell-token-restricted": [422, "SELL_TOKEN_NOT_AUTHORIZED_FOR_TRADE"],
  "buy-token-restricted": [422, "BUY_TOKEN_NOT_AUTHORIZED_FOR_TRADE"],
  "taker-restricted": [403, "TAKER_NOT_AUTHORIZED_FOR_TRADE"],
  "insufficient-balance": [400, "INSUFFICIENT_BALANCE"],
  "pair-not-supported": [400, "TOKEN_PAIR_NOT_SUPPORTED"],
};

/** The modes of the contract `Trap`. */
export const TRAP_MODES: Partial<Record<Fault, number>> = {
  reverts: 0,
  "pays-nothing": 1,
  "pays-less": 2,
  "pays-stranger": 3,
  "pays-other-token": 4,
  "takes-half": 5,
};

export interface DexFaults {
  current: Fault | null;
  /** Number of requests received. */
  requests: number;
}
