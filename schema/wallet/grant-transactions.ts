import type { Prisma } from "../../generated/prisma/client.ts";
import { LEDGER_OF_GRANTS } from "../../src/wallet/ledger-page.ts";
import { createConnectionReader } from "../child-pages.ts";

/** Returns the payments of an application's grant. */
export const grantTransactionsOf = createConnectionReader(
  LEDGER_OF_GRANTS,
  ({ deps }, selection: Prisma.TransactionDefaultArgs, ids) =>
    deps.db.prisma.transaction.findMany({ ...selection, where: { id: { in: ids } } }),
);
