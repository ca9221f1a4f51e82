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
}

export interface AccountViewer {
  readonly kind: "account";
  readonly accountId: string;
  /** The credential's id, which is also the id of its budget. */
  readonly credentialId: string;
  readonly credentialKind: "api_token";
  /** Every budget its payments count against: the account's, those the credential descends from, its own. */
  readonly budgetIds: readonly string[];
  readonly scopes: readonly string[];
  readonly rules: SpendingRules;
  readonly x402Enabled: boolean;
  /** Free credit when the request came in: a hint that saves a read; the reservation decides. */
  readonly creditMicroUsd: bigint;
  readonly expiresAtMs: number | null;
}

/** The operator of this installation, by ADMIN_TOKEN: may create accounts, owns none. */
export interface OperatorViewer {
  readonly kind: "operator";
  readonly expiresAtMs: null;
}

export type Viewer = AccountViewer | OperatorViewer;

/** @throws {UnauthorizedError} unless an account is calling. */
export function requireAccount(viewer: Viewer | null): AccountViewer {
  if (viewer?.kind !== "account") throw new UnauthorizedError();
  return viewer;
}

/** @throws {UnauthorizedError | ForbiddenError} unless an account is calling with a credential that may change the account. */
export function requireManager(viewer: Viewer | null): AccountViewer {
  const account = requireAccount(viewer);
  if (!account.scopes.includes("account:manage")) {
    throw new ForbiddenError("This token may not change the account: it lacks the scope account:manage.");
  }
  return account;
}
