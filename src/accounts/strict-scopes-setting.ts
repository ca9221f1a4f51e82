import type { Account } from "../../generated/prisma/client.ts";
import type { Database } from "../platform/database.ts";
import { requireManager, type Viewer } from "./viewer.ts";

/** Turns the enforcement of declared scopes on or off for every credential of the viewer's account (decisions, "OAuth"). */
export async function setStrictScopes(
  deps: { readonly db: Database },
  viewer: Viewer | null,
  strictScopes: boolean,
): Promise<Account> {
  const { accountId } = requireManager(viewer);
  return await deps.db.prisma.account.update({ where: { id: accountId }, data: { strictScopes } });
}
