import type { Account } from "../../generated/prisma/client.ts";
import type { Database } from "../platform/database/connection.ts";
import { requireManager, type Viewer } from "./viewer.ts";

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
