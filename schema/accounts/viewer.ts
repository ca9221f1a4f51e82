import type { AccountViewer } from "../../src/accounts/viewer.ts";
import { requireAccount } from "../../src/accounts/viewer.ts";
import { builder } from "../builder.ts";
import { ownAccountIdWithin } from "../owner.ts";
import { NEWEST_FIRST, PAGES, readPage } from "../paging.ts";
import { PurchaseTokenFilter, PurchaseTokenNode, purchaseTokensOf } from "../payments/purchase-tokens.ts";
import {
  findTransactions,
  TransactionConnection,
  TransactionEdge,
  TransactionFilter,
  TransactionNode,
  transactionsWhere,
} from "../wallet/transactions.ts";
import { WalletType } from "../wallet/wallet.ts";
import { AccountNode } from "./accounts.ts";
import { ApiTokenFilter, ApiTokenNode, apiTokensWhere } from "./api-tokens.ts";

/** Each domain adds what it shows of the caller from a file of its own. */
export const ViewerType = builder.objectRef<AccountViewer>("Viewer").implement({
  description: "Whoever is calling, and all that they may see.",
  fields: (t) => ({
    account: t.prismaField({
      type: AccountNode,
      description: "The account that pays.",
      resolve: (query, { accountId }, _args, { deps }) =>
        deps.db.prisma.account.findUniqueOrThrow({ ...query, where: { id: accountId } }),
    }),
    apiToken: t.prismaField({
      type: ApiTokenNode,
      nullable: true,
      description: "The API token this request was made with; null for another credential.",
      resolve: (query, { credentialId }, _args, { deps }) =>
        deps.db.prisma.apiToken.findUnique({ ...query, where: { id: credentialId } }),
    }),
    wallet: t.field({
      type: WalletType,
      description: "The account's wallet.",
      resolve: ({ accountId }, _args, { deps }) => deps.wallets.ofAccount(accountId),
    }),
    apiTokens: t.prismaConnection(
      {
        type: ApiTokenNode,
        ...PAGES,
        description: "The account's API tokens, newest first, revoked ones included.",
        args: { filter: t.arg({ type: ApiTokenFilter, description: "Which of them; default all." }) },
        resolve: (query, { accountId }, { filter }, { deps }) =>
          readPage(
            query,
            { accountId },
            (page) =>
              deps.db.prisma.apiToken.findMany({
                ...page,
                where: { accountId, ...apiTokensWhere(filter) },
                orderBy: NEWEST_FIRST,
              }),
            (where) => deps.db.prisma.apiToken.count({ where }),
          ),
      },
      { name: "ApiTokenConnection", description: "A page of API tokens." },
      { name: "ApiTokenEdge", description: "An API token in a list." },
    ),
    purchaseTokens: t.prismaConnection(
      {
        type: PurchaseTokenNode,
        ...PAGES,
        description: "The account's one-time purchase tokens, newest first.",
        args: { filter: t.arg({ type: PurchaseTokenFilter, description: "Which of them; default all." }) },
        resolve: (query, { accountId }, { filter }, context) =>
          purchaseTokensOf(context, query, accountId, [filter?.state ?? null, filter?.network ?? null]),
      },
      { name: "PurchaseTokenConnection", description: "A page of purchase tokens." },
      { name: "PurchaseTokenEdge", description: "A purchase token in a list." },
    ),
    transactions: t.prismaConnection(
      {
        type: TransactionNode,
        ...PAGES,
        description: "The account's ledger, newest first.",
        args: { filter: t.arg({ type: TransactionFilter, description: "Which of them; default all." }) },
        resolve: (query, _viewer, { filter }, context) =>
          findTransactions(context, query, {
            accountId: ownAccountIdWithin(context, "transactions:read"),
            ...transactionsWhere(filter),
          }),
      },
      TransactionConnection,
      TransactionEdge,
    ),
  }),
});

builder.queryField("viewer", (t) =>
  t.field({
    type: ViewerType,
    nullable: true,
    // No `authScopes`: they would say once more, for nearly every request, what `requireAccount` says.
    description: "Whoever is calling. Null, with an error of code `unauthorized`, without a valid credential.",
    resolve: (_root, _args, { viewer }) => requireAccount(viewer),
  }),
);
