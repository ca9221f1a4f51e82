import type { Prisma, Transaction } from "../../generated/prisma/client.ts";
import { transactionChannel } from "../../src/payments/transaction-events.ts";
import { NotFoundError } from "../../src/platform/errors.ts";
import { builder } from "../builder.ts";
import type { Context } from "../context.ts";
import { selectedOf } from "../filters.ts";
import { idOf } from "../global-id.ts";
import { requireScopedAccountId, resolveWithScope } from "../owner.ts";
import { AFTER, CURSOR, describeResumption, RESUMABLE, type Update, watchRows } from "../resumable-updates.ts";
import { TransactionNode, TransactionStatus, TransactionType } from "./transactions.ts";

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
    args: {
      id: t.arg.id({
        description: "The id of the transaction to publish. Default: all transactions.",
        validate: idOf("Transaction"),
      }),
      types: t.arg({ type: [TransactionType], description: "The types of the transactions. Default: all." }),
      statuses: t.arg({
        type: [TransactionStatus],
        description: "The statuses to publish: other states of a transaction are omitted. Default: all.",
      }),
      networks: t.arg({ type: ["NetworkName"], description: "The networks of the transactions. Default: all." }),
      after: t.arg.string(AFTER),
    },
    subscribe: async (_root, { id, types, statuses, networks, after }, context) => {
      const accountId = requireScopedAccountId(context, "transactions:read");
      const { transaction } = context.deps.db.prisma;
      if (id && (await transaction.count({ where: { id, accountId } })) === 0) {
        throw new NotFoundError("There is no such transaction.");
      }
      const [ofTypes, ofStatuses, ofNetworks] = [types, statuses, networks].map((values) => selectedOf<string>(values));
      return watchTransactions(
        context,
        accountId,
        {
          ...(id ? { id } : {}),
          ...(ofTypes ? { type: { in: [...ofTypes] } } : {}),
          ...(ofStatuses ? { status: { in: [...ofStatuses] } } : {}),
          ...(ofNetworks ? { network: { in: [...ofNetworks] } } : {}),
        },
        after,
      );
    },
    resolve: resolveWithScope("transactions:read"),
  }),
);

/** Watches the account's transactions that match a condition. */
export function watchTransactions(
  { deps }: Context,
  accountId: string,
  condition: Prisma.TransactionWhereInput,
  after: string | null | undefined,
) {
  const { transaction } = deps.db.prisma;
  return watchRows({
    changeColumn: "updatedAt",
    listen: () => deps.pubsub.subscribe(transactionChannel(accountId)),
    find: (id) => transaction.findFirst({ where: { id, accountId, AND: condition } }),
    findSince: ({ where, ...page }) =>
      transaction.findMany({ where: { accountId, AND: condition, ...where }, ...page }),
    after,
  });
}
