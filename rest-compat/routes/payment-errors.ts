import type { ErrorCode } from "../generated/graphql.ts";

/** Error codes of routes that make X402 payments. */
export const PAYMENT_ERRORS = [
  "forbidden",
  "x402_not_enabled",
  "spending_limit_exceeded",
  "insufficient_balance",
  "no_acceptable_requirement",
  "permit_outstanding",
  "unsupported_network",
  "chain_unavailable",
  "network_degraded",
  "idempotency_key_reused",
  "idempotency_in_flight",
  "rate_limited",
] as const satisfies readonly ErrorCode[];
