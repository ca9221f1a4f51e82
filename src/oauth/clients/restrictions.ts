/**
 * Restrictions of clients that registered themselves, until an administrator approves them: client ID metadata
 * documents and dynamic registration.
 */
import type { SpendingLimits } from "../../accounts/spending-limits.ts";
import { OAuthProtocolError } from "../oauth-protocol-error.ts";
import { type OAuthScope, readScopes } from "../scopes.ts";
import type { Client } from "./find-client.ts";

/** Authorities that cost money beyond the limits of a grant, or speak for the user. */
const REQUIRES_REVIEW: readonly OAuthScope[] = ["cards:read", "orders:write", "trade:execute", "email:send"];

/** The suggested limits before a review: 1, 5 and 20 USD. */
export const RESTRICTED_LIMITS: SpendingLimits = {
  perTransactionMicroUsd: 1_000_000n,
  dailyMicroUsd: 5_000_000n,
  monthlyMicroUsd: 20_000_000n,
};

/** Returns the scopes of a grant without those that an application has only after its review. */
export function withoutReviewedScopes(scopes: readonly string[]): readonly string[] {
  const requiresReview: readonly string[] = REQUIRES_REVIEW;
  return scopes.filter((scope) => !requiresReview.includes(scope));
}

/**
 * Returns the scopes in a `scope` parameter that the client may request: those that its metadata document declares, if any. The others are omitted, because clients often
 * request all scopes of the metadata; the token response names the granted ones (RFC 6749 section 3.3).
 * @throws {OAuthProtocolError} `invalid_scope` for an unknown scope, or if none remains
 */
export function readClientScopes(
  { isRestricted, declaredScopes }: Pick<Client, "isRestricted" | "declaredScopes">,
  scope: string | null,
) {
  const requested = readScopes(scope);
  const scopes = declaredScopes.length === 0 ? requested : requested.filter((name) => declaredScopes.includes(name));
  if (scopes.length === 0) {
    throw new OAuthProtocolError("invalid_scope", "The application's metadata document declares none of these scopes.");
  }
  if (!isRestricted) return scopes;
  const allowed = scopes.filter((name) => !REQUIRES_REVIEW.includes(name));
  if (allowed.length === 0) {
    throw new OAuthProtocolError("invalid_scope", "These scopes require a review of the application.");
  }
  return allowed;
}
