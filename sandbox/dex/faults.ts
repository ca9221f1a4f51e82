/** What the exchange can be told to do wrong, until it is told otherwise. */
export const FAULTS = {
  // Answers of the HTTP interface.
  "error-500": "fails",
  "rate-limited": "is too busy",
  garbage: "answers what is no JSON",
  hangs: "answers nothing",
  "no-liquidity": "has no liquidity",
  // Quotes that no careful client takes.
  "low-minimum": "guarantees half of what was asked for",
  spender: "asks for the allowance, and the transaction, to go to a stranger",
  "settler-spender": "asks for the allowance to go to its settler",
  "token-call": "has the wallet send its tokens to a stranger",
  recipient: "pays a stranger",
  "other-buy-token": "guarantees another token",
  "more-than-asked": "takes twice what was to be sold",
  "more-value": "takes ether besides",
  "stale-price": "promises a fifth more than its pools give",
  // Lies that show only once the transaction is real.
  reverts: "reverts",
  "pays-nothing": "takes the tokens and pays nothing",
  "pays-less": "pays half of what it guaranteed",
  "pays-stranger": "pays a stranger",
  "pays-other-token": "pays another token",
  "takes-half": "takes half of what was to be sold, and leaves the rest allowed",
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
  /** How many requests the exchange has had. */
  requests: number;
}
