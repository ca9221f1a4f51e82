import type { Transaction } from "../../generated/prisma/client.ts";
import { transactionChannel } from "../../src/payments/transaction-events.ts";
import { builder } from "../builder.ts";
import { ownAccountIdWithin } from "../owner.ts";
import { type Update, watchRows } from "../resumable-updates.ts";
import { TransactionNode } from "./transactions.ts";

const TransactionUpdateType = builder.objectRef<Update<Transaction>>("TransactionUpdate").implement({
  description: "A transaction that is new or has moved.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", { description: "Pass it as `after` to go on from here after a lost connection." }),
    transaction: t.expose("row", { type: TransactionNode, description: "The transaction as it now stands." }),
  }),
});

builder.subscriptionField("transactionUpdated", (t) =>
  t.field({
    type: TransactionUpdateType,
    complexity: 5,
    // Only those that start with what comes next may share one source: one that resumes sees other events first.
    extensions: { shared: (args: { after?: string | null }) => args.after === undefined || args.after === null },
    description:
      "Every move of the account's transactions, as it happens. With `after`, first what moved since that event, and perhaps again what moved just before it. A client too slow for the events is ended with an error and may resume.",
    args: { after: t.arg.string({ description: "The cursor of the last event seen; default: from now on." }) },
    subscribe: (_root, { after }, context) => {
      const accountId = ownAccountIdWithin(context, "transactions:read");
      const { transaction } = context.deps.db.prisma;
      return watchRows<Transaction>({
        listen: () => context.deps.pubsub.subscribe(transactionChannel(accountId)),
        find: (id) => transaction.findFirst({ where: { id, accountId } }),
        findSince: ({ updatedAt, id }, take) =>
          transaction.findMany({
            where: { accountId, OR: [{ updatedAt: { gt: updatedAt } }, { updatedAt, id: { gt: id } }] },
            orderBy: [{ updatedAt: "asc" }, { id: "asc" }],
            take,
          }),
        after: after ?? null,
      });
    },
    resolve: (update) => update,
  }),
);
