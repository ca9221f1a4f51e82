/** Groups of tools. */

/** Each group with what its tools do, for `instructions` and the documentation. */
export const GROUPS = {
  wallet: "balances, limits and the ledger",
  pay: "paid URLs and paid tools of other servers",
  email: "the agent's mailbox",
  shop: "merchants, carts and orders by card",
  trade: "swaps of the wallet's tokens",
  identity: "the agent's registration and credentials",
  developer: "signed payments and language models",
} as const;
export type Group = keyof typeof GROUPS;

export const GROUP_NAMES = Object.keys(GROUPS) as Group[];
export const DEFAULT_GROUPS: readonly Group[] = ["wallet", "pay", "email", "shop"];
