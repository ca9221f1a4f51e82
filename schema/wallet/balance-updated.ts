import type { Transaction } from "../../generated/prisma/client.ts";
import { AccountNode } from "../accounts/accounts.ts";
import { builder } from "../builder.ts";
import { requireScopedAccountId, resolveWithScope } from "../owner.ts";
import { AFTER, CURSOR, describeResumption, RESUMABLE, type Update } from "../resumable-updates.ts";
import { watchTransactions } from "./transaction-updated.ts";
import { WalletType } from "./wallet.ts";

const BalanceUpdateType = builder.objectRef<Update<Transaction>>("BalanceUpdate").implement({
  description: "The wallet and the spending after a transaction of the account was created or changed.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", CURSOR),
    wallet: t.field({
      type: WalletType,
      description: "The wallet, with its current balances and free credit.",
      resolve: ({ row }, _args, { deps }) => deps.wallets.ofAccount(row.accountId),
    }),
    account: t.prismaField({
      type: AccountNode,
      description: "The account, with its current spending and the remaining limits.",
      resolve: (query, { row }, _args, { deps }) =>
        deps.db.prisma.account.findUniqueOrThrow({ ...query, where: { id: row.accountId } }),
    }),
  }),
});

builder.subscriptionField("balanceUpdated", (t) =>
  t.field({
    type: BalanceUpdateType,
    ...RESUMABLE,
    description: `Publishes the wallet and the spending after each change of a transaction. Transfers to the wallet that the ledger does not record are not published. ${describeResumption()}`,
    args: { after: t.arg.string(AFTER) },
    subscribe: (_root, { after }, context) =>
      watchTransactions(context, requireScopedAccountId(context, "balance:read"), {}, after),
    resolve: resolveWithScope("balance:read"),
  }),
);
