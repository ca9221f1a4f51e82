import type { Account } from "../../../generated/prisma/client.ts";
import type { Database } from "../../platform/database/connection.ts";
import { NotFoundError } from "../../platform/errors.ts";

/** Returns the account that an act concerns. @throws {NotFoundError} */
export async function requireSubject({ db }: { readonly db: Database }, accountId: string): Promise<Account> {
  const account = await db.prisma.account.findUnique({ where: { id: accountId } });
  if (!account) throw new NotFoundError("There is no such account. Nothing was changed.");
  return account;
}
