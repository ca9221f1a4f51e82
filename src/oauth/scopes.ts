/** Scopes that an application may request (spec section 5). `account:manage` is not among them. */
import { OAuthProtocolError } from "./oauth-protocol-error.ts";

export const OAUTH_SCOPES = ["payments:sign", "balance:read", "transactions:read", "email:read", "agent:read"] as const;
export type OAuthScope = (typeof OAUTH_SCOPES)[number];

/** Descriptions of the scopes on the consent page. */
export const SCOPE_DESCRIPTIONS: Readonly<Record<OAuthScope, string>> = {
  "payments:sign":
    "Make payments on your behalf: from your wallet within the limits set here, by card within your policy",
  "balance:read": "View your wallet balance",
  "transactions:read": "View your payments",
  "email:read": "Read and send email in your agent's mailbox",
  "agent:read": "View your agent's identity and credential",
};

const DEFAULT_SCOPES: readonly OAuthScope[] = ["payments:sign", "balance:read"];

/**
 * Returns the scopes in a `scope` parameter without duplicates; the contract's default if it is absent or empty.
 * @throws {OAuthProtocolError} `invalid_scope` for an unknown scope
 */
export function readScopes(scope: string | null): readonly OAuthScope[] {
  if (scope === null) return DEFAULT_SCOPES;
  const requested = scope.split(" ").filter((name) => name !== "");
  if (requested.length === 0) return DEFAULT_SCOPES;
  if (!requested.every(isOAuthScope)) {
    const text = `scope may contain ${OAUTH_SCOPES.join(", ")}, separated by spaces.`;
    throw new OAuthProtocolError("invalid_scope", text);
  }
  return [...new Set(requested)];
}

export function isOAuthScope(name: string): name is OAuthScope {
  return (OAUTH_SCOPES as readonly string[]).includes(name);
}
