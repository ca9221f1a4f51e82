import type { Account } from "../../generated/prisma/client.ts";
import type { Database } from "../platform/database/connection.ts";
import { ForbiddenError } from "../platform/errors.ts";
import { requireManager, SCOPES, type Viewer } from "./viewer.ts";

/** Enables or disables X402 payments for the viewer's account (spec section 1: opt-in). Idempotent. */
export async function setX402Enabled(
  deps: { readonly db: Database },
  viewer: Viewer | null,
  enabled: boolean,
): Promise<Account> {
  const { accountId } = requireManager(viewer);
  const { account } = deps.db.prisma;
  await account.updateMany({
    where: { id: accountId, x402EnabledAt: enabled ? null : { not: null } },
    data: { x402EnabledAt: enabled ? new Date() : null },
  });
  return await account.findUniqueOrThrow({ where: { id: accountId } });
}

/**
 * Enables or disables strict scopes for every credential of the viewer's account (decisions, "OAuth").
 * @throws {ForbiddenError} also when a token that lacks a scope disables them, because it would gain that scope
 */
export async function setStrictScopes(
  deps: { readonly db: Database },
  viewer: Viewer | null,
  strictScopes: boolean,
): Promise<Account> {
  const { accountId, scopes } = requireManager(viewer);
  if (!strictScopes && !SCOPES.every((scope) => scopes.includes(scope))) {
    throw new ForbiddenError(
      "Strict scopes were not disabled: this token lacks some of the scopes. Use a session or a token with all scopes.",
    );
  }
  return await deps.db.prisma.account.update({ where: { id: accountId }, data: { strictScopes } });
}
