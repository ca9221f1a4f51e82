import type { Account } from "../../generated/prisma/client.ts";
import type { Database } from "../platform/database/connection.ts";
import { ForbiddenError } from "../platform/errors.ts";
import { requireManager, SCOPES, type Viewer } from "./viewer.ts";

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
