/** Faults that the exchange can be set to, each with its description. */
export const FAULTS = {
  // Responses of the HTTP interface.
  "error-500": "responds with status 500",
  "rate-limited": "responds with status 429",
  garbage: "responds with invalid JSON",
  hangs: "does not respond",
  "no-liquidity": "has no liquidity",
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
