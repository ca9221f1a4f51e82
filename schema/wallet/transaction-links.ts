/** Links of a transaction to the credential that paid it and to what it paid for. */
import type { GatewayCall } from "../../generated/prisma/client.ts";
import { findPayerId } from "../../src/wallet/payers.ts";
import { ApiTokenNode } from "../accounts/api-tokens.ts";
import { builder } from "../builder.ts";
import type { Context } from "../context.ts";
import { GatewayCallNode } from "../gateway/calls.ts";
import { OAuthGrantNode } from "../oauth/grants.ts";
import { TradeNode } from "../trade/trades.ts";
import { TransactionNode } from "./transactions.ts";

builder.prismaObjectFields(TransactionNode, (t) => ({
  apiToken: t.prismaField({
    type: ApiTokenNode,
    nullable: true,
    description: "The API token that paid. Null for other payers.",
    resolve: (query, row, _args, { deps }) => {
      const id = findPayerId(row.budgetIds);
      return !id?.startsWith("tok_")
        ? null
        : deps.db.prisma.apiToken.findUnique({ ...query, where: { id, accountId: row.accountId } });
    },
  }),
  grant: t.prismaField({
    type: OAuthGrantNode,
    nullable: true,
    description: "The grant of the application that paid. Null for other payers.",
    resolve: (query, row, _args, { deps }) => {
      const id = findPayerId(row.budgetIds);
      return !id?.startsWith("grt_")
        ? null
        : deps.db.prisma.oAuthGrant.findUnique({ ...query, where: { id, accountId: row.accountId } });
    },
  }),
  trade: t.prismaField({
    type: TradeNode,
    nullable: true,
    description: "The trade whose sold amount this transaction is. Null for other types.",
    resolve: (query, { id, type, accountId }, _args, { deps }) =>
      type === "trade" ? deps.db.prisma.trade.findUnique({ ...query, where: { transactionId: id, accountId } }) : null,
  }),
  gatewayCall: t.loadable({
    type: GatewayCallNode,
    nullable: true,
    description: "The language model call that the transaction paid for. Null for other types.",
    load: findCalls,
    loaderOptions: { cache: false },
    resolve: ({ id, type }) => (type === "gateway" ? id : null),
  }),
}));

async function findCalls(transactionIds: readonly string[], { deps }: Context): Promise<(GatewayCall | null)[]> {
  await deps.gateway.calls.flush();
  const links = await deps.db.prisma.gatewayTransaction.findMany({
    where: { transactionId: { in: [...transactionIds] } },
    include: { call: true },
  });
  const callByTransaction = new Map(links.map(({ transactionId, call }) => [transactionId, call]));
  return transactionIds.map((id) => callByTransaction.get(id) ?? null);
}
