/** Dependencies of issuing, presenting and publishing credentials. */
import type { SigningKeys } from "../../platform/crypto/signing-keys.ts";
import type { RateLimiter } from "../../platform/rate-limit.ts";
import type { AgentDeps } from "../deps.ts";

export interface CredentialDeps extends Pick<AgentDeps, "db" | "wallets" | "pubsub" | "logger" | "site" | "keks"> {
  readonly signingKeys: SigningKeys;
  readonly rateLimiter: RateLimiter;
}
