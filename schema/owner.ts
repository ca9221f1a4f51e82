import { requireAccount, requireScope, type Scope } from "../src/accounts/viewer.ts";
import type { Context } from "./context.ts";

/** Returns the id of the caller's account. Every look-up by id is restricted to this account. */
export function requireAccountId(context: Context): string {
  return requireAccount(context.viewer).accountId;
}

/**
 * Returns the id of the caller's account after a check of the scope.
 * @throws {ForbiddenError} if scopes are enforced and the credential lacks this one
 */
export function requireScopedAccountId(context: Context, scope: Scope): string {
  const account = requireAccount(context.viewer);
  requireScope(account, scope);
  return account.accountId;
}

/**
 * Returns the resolver of a subscription's events. It checks the scope for each event, because strict scopes may have been enabled
 * since the client subscribed.
 */
export const resolveWithScope =
  (scope: Scope) =>
  <Update>(update: Update, _args: object, context: Context): Update => {
    requireScopedAccountId(context, scope);
    return update;
  };
