/** Who is calling, and what the credential allows. Built once a request; every use case takes it. */
import { ForbiddenError, UnauthorizedError } from "../platform/errors.ts";

/** What an API token may be granted. The first five are the contract's (spec section 5) and not enforced by route. */
export const SCOPES = [
  "payments:sign",
  "balance:read",
  "transactions:read",
  "email:read",
  "agent:read",
  /** May change the account itself: tokens, the X402 switch, withdrawals. Always enforced. */
  "account:manage",
] as const;
export type Scope = (typeof SCOPES)[number];

/** What a credential narrows, beside its limits. Empty lists of hosts and payees mean any. */
export interface SpendingRules {
  readonly networks: readonly string[];
  readonly allowedHosts: readonly string[];
  readonly allowedPayees: readonly string[];
  /** The one address it may pay: same origin, and a path at or under it; null: any. */
  readonly merchantUrl: string | null;
}

/** Whether the rules let it pay whoever answers at `url`. */
export function mayPayHost({ allowedHosts }: SpendingRules, url: string): boolean {
  return allowedHosts.length === 0 || (URL.canParse(url) && allowedHosts.includes(new URL(url).hostname));
}

/**
 * Whether the rules let it pay this address. EVM addresses are compared without case, of which a checksum is made;
 * Solana's exactly, for which every letter counts. Which one it is shows: base58 has no "0", so none of Solana's begins with 0x.
 */
export function mayPay({ allowedPayees }: Pick<SpendingRules, "allowedPayees">, payee: string): boolean {
  return allowedPayees.length === 0 || allowedPayees.some((allowed) => withoutCase(allowed) === withoutCase(payee));
}

function withoutCase(address: string): string {
  return address.startsWith("0x") ? address.toLowerCase() : address;
}

/**
 * What a caller proved to hold: a token of theirs, a browser's session, an application's access token, leave to make one
 * purchase, or a login identity token, which makes such leave and does nothing else.
 */
export type CredentialKind = "api_token" | "session" | "access_token" | "purchase_token" | "login_token";

export interface AccountViewer {
  readonly kind: "account";
  readonly accountId: string;
  readonly credentialId: string;
  readonly credentialKind: CredentialKind;
  /** The narrowest budget its payments count against: the token's own, a grant's, or the account's for a session. */
  readonly budgetId: string;
  /** Every budget its payments count against: the account's, those the credential descends from, its own. */
  readonly budgetIds: readonly string[];
  readonly scopes: readonly string[];
  /** Whether the first five scopes are enforced for it (decisions, "OAuth"). */
  readonly strictScopes: boolean;
  readonly rules: SpendingRules;
  readonly x402Enabled: boolean;
  /** Free credit when the request came in: a hint that saves a read; the reservation decides. */
  readonly creditMicroUsd: bigint;
  readonly expiresAtMs: number | null;
  /** May review applications: a session of an account whose address is listed in ADMIN_EMAILS. */
  readonly isAdministrator: boolean;
  /** When the person last proved who they are; null for anything but a session. */
  readonly authenticatedAtMs: number | null;
  /** When a session's secret is to be replaced by a new one; absent for anything else. */
  readonly rotationDueAtMs?: number;
}

/** The operator of this installation, by ADMIN_TOKEN: may create accounts, owns none. */
export interface OperatorViewer {
  readonly kind: "operator";
  readonly expiresAtMs: null;
}

export type Viewer = AccountViewer | OperatorViewer;

/** @throws {UnauthorizedError} unless an account is calling, with anything but a one-time purchase token. */
export function requireAccount(viewer: Viewer | null): AccountViewer {
  const account = requirePayer(viewer);
  if (account.credentialKind === "purchase_token") {
    throw new UnauthorizedError("A one-time purchase token opens the fetch proxy and nothing else.");
  }
  return account;
}

/** For the fetch proxy alone. @throws {UnauthorizedError} unless an account is calling, with a purchase token or any other credential. */
export function requirePayer(viewer: Viewer | null): AccountViewer {
  if (viewer?.kind !== "account") throw new UnauthorizedError();
  return viewer;
}

/** The person at the browser; null where nobody calls, or a program does. */
export function sessionOf(viewer: Viewer | null | undefined): AccountViewer | null {
  return viewer?.kind === "account" && viewer.credentialKind === "session" ? viewer : null;
}

/** @throws {ForbiddenError} when scopes are enforced for this credential and it lacks `scope`. */
export function requireScope(viewer: AccountViewer, scope: Scope): void {
  if (viewer.strictScopes && !viewer.scopes.includes(scope)) {
    throw new ForbiddenError(`This token lacks the scope ${scope}.`);
  }
}

/** @throws {UnauthorizedError | ForbiddenError} unless an account is calling with a credential that may change the account. */
export function requireManager(viewer: Viewer | null): AccountViewer {
  const account = requireAccount(viewer);
  if (!account.scopes.includes("account:manage")) {
    throw new ForbiddenError("This token may not change the account: it lacks the scope account:manage.");
  }
  return account;
}
