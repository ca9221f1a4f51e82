import type { Transaction } from "../../generated/prisma/client.ts";
import { transactionChannel } from "../../src/payments/transaction-events.ts";
import { builder } from "../builder.ts";
import { requireScopedAccountId } from "../owner.ts";
import { AFTER, CURSOR, describeResumption, RESUMABLE, type Update, watchRows } from "../resumable-updates.ts";
import { TransactionNode } from "./transactions.ts";

const TransactionUpdateType = builder.objectRef<Update<Transaction>>("TransactionUpdate").implement({
  description: "A new or changed transaction.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", CURSOR),
    transaction: t.expose("row", { type: TransactionNode, description: "The transaction in its current state." }),
  }),
});

builder.subscriptionField("transactionUpdated", (t) =>
  t.field({
    type: TransactionUpdateType,
    ...RESUMABLE,
    description: `Publishes each new transaction of the account and each status change. ${describeResumption()}`,
    args: { after: t.arg.string(AFTER) },
    subscribe: (_root, { after }, context) => {
      const accountId = requireScopedAccountId(context, "transactions:read");
      const { transaction } = context.deps.db.prisma;
      return watchRows({
        changeColumn: "updatedAt",
        listen: () => context.deps.pubsub.subscribe(transactionChannel(accountId)),
        find: (id) => transaction.findFirst({ where: { id, accountId } }),
        findSince: ({ where, ...page }) => transaction.findMany({ where: { accountId, ...where }, ...page }),
        after,
      });
    },
    resolve: (update) => update,
  }),
);
