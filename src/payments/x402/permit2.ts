/** Permit2 contracts, which have the same address on every chain. */

/** Uniswap's Permit2. */
export const PERMIT2_ADDRESS = "0x000000000022D473030F116dDEE9F6B43aC78BA3";

/** X402's Permit2 spender contracts (CREATE2). They can transfer only to the witness's recipient. */
export const PERMIT2_SPENDERS = {
  exact: "0x402085c248EeA27D92E8b30b2C58ed07f9E20001",
  upto: "0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002",
} as const;
