import { requireAccount, requireScope, type Scope } from "../src/accounts/viewer.ts";
import type { Context } from "./context.ts";

/** The account whose objects this request may see; every lookup by id is narrowed to it. */
export function ownAccountId(context: Context): string {
  return requireAccount(context.viewer).accountId;
}

/** The same for what a scope covers. @throws {ForbiddenError} when scopes are enforced and the credential lacks it. */
export function ownAccountIdWithin(context: Context, scope: Scope): string {
  const account = requireAccount(context.viewer);
  requireScope(account, scope);
  return account.accountId;
}
