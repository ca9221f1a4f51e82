/** Scopes that an application may request: those of spec section 5, and later ones. `account:manage` is not among them. */
import { SCOPES, type Scope } from "../accounts/viewer.ts";
import { OAuthProtocolError } from "./oauth-protocol-error.ts";

export type OAuthScope = Exclude<Scope, "account:manage">;
export const OAUTH_SCOPES: readonly OAuthScope[] = SCOPES.filter((scope) => scope !== "account:manage");

/** Descriptions of the scopes on the consent page. */
export const SCOPE_DESCRIPTIONS: Readonly<Record<OAuthScope, string>> = {
  "payments:sign":
    "Make payments on your behalf: from your wallet within the limits set here, by card within your policy",
  "balance:read": "View your wallet balance",
  "transactions:read": "View your payments",
  "email:read": "Read and send email in your agent's mailbox",
  "agent:read": "View your agent's identity and credential",
  "orders:write": "Order from merchants by card, within your policy",
  "trade:execute": "Swap the tokens in your wallet, within the limits set here",
  "email:send": "Send email from your agent's mailbox",
  "account:read": "View your account: email address, limits, tokens and connected apps",
  "cards:read": "View your saved cards, without their numbers, and your limits for orders",
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

/**
 * Returns the scopes that an application with the waiver of spec section 5 can use beyond the granted ones. `email:read`
 * covers `email:send` in its description.
 * @param onRoutesOnly whether the waiver covers the routes of the contract only
 */
export function waivedScopes(granted: readonly string[], onRoutesOnly: boolean): readonly OAuthScope[] {
  const omitted = ["email:send", ...(onRoutesOnly ? NOT_ON_CONTRACT_ROUTES : []), ...granted];
  return OAUTH_SCOPES.filter((scope) => !omitted.includes(scope));
}

/** Scopes that no route of the contract requires. */
export const NOT_ON_CONTRACT_ROUTES: readonly OAuthScope[] = ["account:read"];

export function isOAuthScope(name: string): name is OAuthScope {
  return (OAUTH_SCOPES as readonly string[]).includes(name);
}
