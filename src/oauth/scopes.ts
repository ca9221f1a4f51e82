/** What an application may ask for (spec section 5). `account:manage` is never among it. */
import { OAuthProtocolError } from "./oauth-protocol-error.ts";

export const OAUTH_SCOPES = ["payments:sign", "balance:read", "transactions:read", "email:read", "agent:read"] as const;
export type OAuthScope = (typeof OAUTH_SCOPES)[number];

/** What a person reads before they agree. */
export const SCOPE_DESCRIPTIONS: Readonly<Record<OAuthScope, string>> = {
  "payments:sign":
    "Pay for things on your behalf: from your wallet within the limits you set here, by card within your policy",
  "balance:read": "See what your wallet holds",
  "transactions:read": "See your payments",
  "email:read": "Read and send mail in your agent's mailbox",
  "agent:read": "See your agent's identity and credential",
};

const DEFAULT_SCOPES: readonly OAuthScope[] = ["payments:sign", "balance:read"];

/**
 * The scopes in a `scope` parameter, each once; the contract's default when there is none.
 * @throws {OAuthProtocolError} invalid_scope when one is not known.
 */
export function readScopes(scope: string | null): readonly OAuthScope[] {
  if (scope === null) return DEFAULT_SCOPES;
  const asked = scope.split(" ").filter((name) => name !== "");
  if (asked.length === 0) return DEFAULT_SCOPES;
  if (!asked.every(isOAuthScope)) {
    throw new OAuthProtocolError("invalid_scope", `scope may hold ${OAUTH_SCOPES.join(", ")}, separated by spaces.`);
  }
  return [...new Set(asked)];
}

export function isOAuthScope(name: string): name is OAuthScope {
  return (OAUTH_SCOPES as readonly string[]).includes(name);
}
