import type { AccountViewer } from "../../src/accounts/viewer.ts";
import { requireAccount } from "../../src/accounts/viewer.ts";
import { builder } from "../builder.ts";
import { resolveConnection } from "../connection.ts";
import { requireScopedAccountId } from "../owner.ts";
import { PAGES } from "../paging.ts";
import {
  PURCHASE_TOKENS_BY_TIME,
  PurchaseTokenFilter,
  PurchaseTokenNode,
  purchaseTokensOf,
} from "../payments/purchase-tokens.ts";
import {
  ledgerOf,
  TRANSACTIONS_BY_TIME,
  TransactionConnection,
  TransactionEdge,
  TransactionFilter,
  TransactionNode,
  toLedgerFilter,
} from "../wallet/transactions.ts";
import { WalletType } from "../wallet/wallet.ts";
import { AccountNode } from "./accounts.ts";
import { ApiTokenFilter, ApiTokenNode, apiTokensOf, RevokeApiTokenSuccess } from "./api-tokens.ts";

/** The viewer type. Each domain adds its fields in its own files. */
export const ViewerType = builder.node(builder.objectRef<AccountViewer>("Viewer"), {
  description: "The authenticated caller and the objects it may read.",
  id: { resolve: ({ accountId }) => accountId, description: "The global id of the caller, one for each account." },
  brandLoadedObjects: true,
  loadOne: (id, { viewer }) => {
    const account = requireAccount(viewer);
    return account.accountId === id ? { ...account } : null;
  },
  fields: (t) => ({
    account: t.prismaField({
      type: AccountNode,
      description: "The viewer's account.",
      resolve: (query, { accountId }, _args, { deps }) =>
        deps.db.prisma.account.findUniqueOrThrow({ ...query, where: { id: accountId } }),
    }),
    apiToken: t.prismaField({
      type: ApiTokenNode,
      nullable: true,
      description: "The API token of this request. Null for another credential.",
      resolve: (query, { credentialId }, _args, { deps }) =>
        deps.db.prisma.apiToken.findUnique({ ...query, where: { id: credentialId } }),
    }),
    wallet: t.field({
      type: WalletType,
      description: "The account's wallet.",
      resolve: ({ accountId }, _args, { deps }) => deps.wallets.ofAccount(accountId),
    }),
    apiTokens: t.connection(
      {
        type: ApiTokenNode,
        ...PAGES,
        description: "The account's API tokens, newest first, including revoked ones.",
        args: { filter: t.arg({ type: ApiTokenFilter, description: "Filters for the list. Defaults to all tokens." }) },
        resolve: ({ accountId }, args, context, info) =>
          resolveConnection(args, context, info, apiTokensOf(context, accountId, args.filter)),
      },
      { name: "ApiTokenConnection", description: "A page of API tokens." },
      { name: "ApiTokenEdge", description: "An API token in a list." },
    ),
    purchaseTokens: t.connection(
      {
        type: PurchaseTokenNode,
        ...PURCHASE_TOKENS_BY_TIME.pages,
        description: "The account's one-time purchase tokens, newest first.",
        args: {
          filter: t.arg({ type: PurchaseTokenFilter, description: "Filters for the list. Defaults to all tokens." }),
          orderBy: t.arg(PURCHASE_TOKENS_BY_TIME.argument),
        },
        resolve: ({ accountId }, args, context, info) => {
          const order = PURCHASE_TOKENS_BY_TIME.orderOf(args);
          return resolveConnection(args, context, info, purchaseTokensOf(context, accountId, args.filter, order));
        },
      },
      { name: "PurchaseTokenConnection", description: "A page of purchase tokens." },
      { name: "PurchaseTokenEdge", description: "A purchase token in a list." },
    ),
    transactions: t.connection(
      {
        type: TransactionNode,
        ...TRANSACTIONS_BY_TIME.pages,
        description: "The account's ledger, newest first.",
        args: {
          filter: t.arg({
            type: TransactionFilter,
            description: "Filters for the list. Defaults to all transactions.",
          }),
          orderBy: t.arg(TRANSACTIONS_BY_TIME.argument),
        },
        resolve: (_viewer, args, context, info) => {
          const accountId = requireScopedAccountId(context, "transactions:read");
          const ledger = ledgerOf(context, accountId, toLedgerFilter(args.filter), TRANSACTIONS_BY_TIME.orderOf(args));
          return resolveConnection(args, context, info, ledger);
        },
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
    // No `authScopes`: `requireAccount` already performs this check.
    description: "The authenticated caller. Null, with an error of code `unauthorized`, without a valid credential.",
    resolve: (_root, _args, { viewer }) => requireAccount(viewer),
  }),
);

builder.objectField(RevokeApiTokenSuccess, "viewer", (t) =>
  t.field({
    type: ViewerType,
    description: "The caller. Its API tokens include those that were revoked together with this one.",
    resolve: (_payload, _args, { viewer }) => requireAccount(viewer),
  }),
);
