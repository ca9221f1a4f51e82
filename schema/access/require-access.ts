/** The check of the access table. */

import { requireSession } from "../../src/accounts/recent-proof.ts";
import { requireReviewer } from "../../src/accounts/reviewer.ts";
import { requireAccount, requireManager, requireScope } from "../../src/accounts/viewer.ts";
import { ForbiddenError, UnauthorizedError } from "../../src/platform/errors.ts";
import type { Context } from "../context.ts";
import type { Access } from "./access-table.ts";

/** The part of a context that decides about access. */
export type AccessContext = Pick<Context, "viewer" | "isTrusted">;

/** Returns whether the caller may use all fields that require these accesses. */
export function hasAccess(accesses: readonly Access[], context: AccessContext): boolean {
  try {
    for (const access of accesses) requireAccess(access, context);
    return true;
  } catch {
    return false;
  }
}

/**
 * Checks that the caller may use a field. The operator passes where an account is required: resolvers decide what it may read.
 * @throws {UnauthorizedError} without the credential that the field requires
 * @throws {ForbiddenError} if the credential may not do this, or scopes are enforced and it lacks one
 */
export function requireAccess(access: Access, { viewer, isTrusted }: AccessContext): void {
  const { caller, scopes, scopesOnRoutes = scopes, isAlwaysEnforced = false } = access;
  if (caller === "anyone") return;
  if (viewer === null) throw new UnauthorizedError();
  if (caller === "operator") {
    if (viewer.kind !== "operator") throw new ForbiddenError("Only the operator of this installation may do this.");
    return;
  }
  if (caller === "administrator") requireReviewer(viewer);
  if (viewer.kind === "operator") return;
  if (caller === "account") requireAccount(viewer);
  if (caller === "manager") requireManager(viewer);
  if (caller === "owner") requireSession(viewer);
  for (const scope of usesRouteScopes({ viewer, isTrusted }) ? scopesOnRoutes : scopes)
    requireScope(isAlwaysEnforced ? { ...viewer, strictScopes: true } : viewer, scope);
}

/** Returns true if a field requires what the contract's routes require, which is less for some. */
export function usesRouteScopes({ viewer, isTrusted }: AccessContext): boolean {
  return isTrusted && !(viewer?.kind === "account" && viewer.isUnreviewed);
}
