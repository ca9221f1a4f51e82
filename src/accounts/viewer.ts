/** The viewer: the authenticated caller and the rights of its credential. Created once per request. */

import { ForbiddenError, UnauthorizedError } from "../platform/errors.ts";
import type { FrozenBy } from "./freeze/freeze-state.ts";

/**
 * The scopes that an API token may have. The first five are the contract's (spec section 5) and enforced only with
 * strict scopes.
 */
export const SCOPES = [
  "payments:sign",
  "balance:read",
  "transactions:read",
  "email:read",
  "agent:read",
  /** Not of the contract, and enforced only with strict scopes, too. */
  "orders:write",
  "trade:execute",
  "email:send",
  "account:read",
  "cards:read",
  /** Permits changes to the account: tokens, the X402 setting, withdrawals. Always enforced. */
  "account:manage",
] as const;
export type Scope = (typeof SCOPES)[number];

/** Restrictions of a credential beside its limits. Empty lists of hosts and payees mean any. */
export interface SpendingRules {
  readonly networks: readonly string[];
  readonly allowedHosts: readonly string[];
  readonly allowedPayees: readonly string[];
  /** The only URL it may pay: same origin, and the same path or one below it. Null: any. */
  readonly merchantUrl: string | null;
}

/** Returns true if the rules allow payments to the host of `url`. */
export function isHostAllowed({ allowedHosts }: Pick<SpendingRules, "allowedHosts">, url: string): boolean {
  return allowedHosts.length === 0 || (URL.canParse(url) && allowedHosts.includes(new URL(url).hostname));
}

/**
 * Returns true if the rules allow payments to this address. EVM addresses are compared case-insensitively, because
 * their case is only a checksum (EIP-55). Solana addresses are case-sensitive and never start with 0x: base58 has no
 * "0".
 */
export function isPayeeAllowed({ allowedPayees }: Pick<SpendingRules, "allowedPayees">, payee: string): boolean {
  return (
    allowedPayees.length === 0 || allowedPayees.some((allowed) => normalizeAddress(allowed) === normalizeAddress(payee))
  );
}

function normalizeAddress(address: string): string {
  return address.startsWith("0x") ? address.toLowerCase() : address;
}

/**
 * The kind of credential that a caller presented. A purchase token permits one purchase. A login identity token only
 * permits the creation of purchase tokens.
 */
export type CredentialKind = "api_token" | "session" | "access_token" | "purchase_token" | "login_token";

export interface AccountViewer {
  readonly kind: "account";
  readonly accountId: string;
  readonly credentialId: string;
  readonly credentialKind: CredentialKind;
  /** The lowest budget its payments count against: the token's own, the grant's, or the account's for a session. */
  readonly budgetId: string;
  /** Every budget its payments count against: the account's, those of the credential's ancestors, its own. */
  readonly budgetIds: readonly string[];
  readonly scopes: readonly string[];
  /** Whether the first five scopes are enforced for this credential (decisions, "OAuth"). */
  readonly strictScopes: boolean;
  readonly rules: SpendingRules;
  readonly x402Enabled: boolean;
  /** Who froze the account, or `service` if the service is frozen, when the request arrived; null if neither is frozen. */
  readonly frozenBy: FrozenBy | null;
  /** Available credit when the request arrived. A hint that saves a read; the reservation is authoritative. */
  readonly creditMicroUsd: bigint;
  readonly expiresAtMs: number | null;
  /** Whether the viewer may review applications: a session of an account whose address is in ADMIN_EMAILS. */
  readonly isAdministrator: boolean;
  /** When the user last authenticated; null for credentials other than sessions. */
  readonly authenticatedAtMs: number | null;
  /** When the session's secret is due for rotation; absent for other credentials. */
  readonly rotationDueAtMs?: number;
  /** Whether its application registered itself and was not reviewed. No route then waives a scope of its fields. */
  readonly isUnreviewed?: boolean;
}

/**
 * Returns the id of the API token, grant or session that the viewer acts for. Unlike `credentialId`, it remains the same
 * when an app refreshes its access token.
 */
export function requesterIdOf({
  credentialKind,
  credentialId,
  budgetId,
}: Pick<AccountViewer, "credentialKind" | "credentialId" | "budgetId">): string {
  // The budget of an access token is its grant's.
  return credentialKind === "access_token" ? budgetId : credentialId;
}

/** The operator of this installation, authenticated by ADMIN_TOKEN. May create accounts but owns none. */
export interface OperatorViewer {
  readonly kind: "operator";
  readonly expiresAtMs: null;
}

export type Viewer = AccountViewer | OperatorViewer;

/**
 * Returns the viewer if it is an account.
 * @throws {UnauthorizedError} without an account credential, or with a one-time purchase token
 */
export function requireAccount(viewer: Viewer | null): AccountViewer {
  const account = requirePayer(viewer);
  if (account.credentialKind === "purchase_token") {
    throw new UnauthorizedError("A one-time purchase token is accepted only by the fetch proxy. Use an API token.");
  }
  return account;
}

/**
 * Returns the viewer if it is an account, with any credential including a purchase token. Only for the fetch proxy.
 * @throws {UnauthorizedError} without an account credential
 */
export function requirePayer(viewer: Viewer | null): AccountViewer {
  if (viewer?.kind !== "account") throw new UnauthorizedError();
  return viewer;
}

/** Returns the viewer if it is a session; null for any other credential or none. */
export function asSession(viewer: Viewer | null | undefined): AccountViewer | null {
  return viewer?.kind === "account" && viewer.credentialKind === "session" ? viewer : null;
}

/** Scopes are enforced for the credential, and it lacks one. */
export class InsufficientScopeError extends ForbiddenError {
  constructor(scope: Scope) {
    super(`This token lacks the scope ${scope}.`);
  }
}

/** @throws {InsufficientScopeError} if scopes are enforced for this credential and it lacks `scope` */
export function requireScope(viewer: AccountViewer, scope: Scope): void {
  if (viewer.strictScopes && !viewer.scopes.includes(scope)) throw new InsufficientScopeError(scope);
}

/**
 * Returns the viewer if its credential may change the account.
 * @throws {UnauthorizedError} like `requireAccount`
 * @throws {ForbiddenError} without the scope `account:manage`
 */
export function requireManager(viewer: Viewer | null): AccountViewer {
  const account = requireAccount(viewer);
  if (!account.scopes.includes("account:manage")) {
    throw new ForbiddenError("This token may not change the account: it lacks the scope account:manage.");
  }
  return account;
}
