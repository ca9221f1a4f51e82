import type { Account } from "../../generated/prisma/client.ts";
import type { Database } from "../platform/database/connection.ts";
import { ForbiddenError } from "../platform/errors.ts";
import { requireManager, SCOPES, type Viewer } from "./viewer.ts";

/** Turns X402 payments on or off for the viewer's account (spec section 1: opt-in). Saying it twice changes nothing. */
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
 * Turns the enforcement of declared scopes on or off for every credential of the viewer's account (decisions, "OAuth").
 * @throws {ForbiddenError} besides, when it is turned off with a token that lacks a scope: it would free itself.
 */
export async function setStrictScopes(
  deps: { readonly db: Database },
  viewer: Viewer | null,
  strictScopes: boolean,
): Promise<Account> {
  const { accountId, scopes } = requireManager(viewer);
  if (!strictScopes && !SCOPES.every((scope) => scopes.includes(scope))) {
    throw new ForbiddenError("This token may not turn off what holds it: it lacks some of the scopes itself.");
  }
  return await deps.db.prisma.account.update({ where: { id: accountId }, data: { strictScopes } });
}
