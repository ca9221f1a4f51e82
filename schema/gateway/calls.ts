import type { Transaction } from "../../generated/prisma/client.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import type { Context } from "../context.ts";
import { ownAccountIdWithin } from "../owner.ts";
import { NEWEST_FIRST, PAGES, readPage } from "../paging.ts";
import { TransactionNode } from "../wallet/transactions.ts";

const GatewayCallStatus = builder.enumType("GatewayCallStatus", {
  description: "How far a call of a language model is.",
  values: {
    pending: { description: "Under way." },
    completed: { description: "Answered to its end." },
    aborted: { description: "The caller left before its end; what was used is charged." },
    failed: { description: "Not answered, or not to its end; `errorCode` says why." },
  },
});

export const GatewayCallNode = builder.prismaNode("GatewayCall", {
  id: { field: "id", description: "The call's global id." },
  findUnique: (id, context) => ({ id, accountId: ownAccountIdWithin(context, "transactions:read") }),
  nullable: true,
  description: "One call of a language model, and what it came to.",
  fields: (t) => ({
    callId: t.exposeID("id", { description: "The call's own id, as REST shows it." }),
    model: t.exposeString("model", { description: "The model asked for." }),
    provider: t.exposeString("provider", { nullable: true, description: "Who answered; null while nobody has." }),
    status: t.field({
      type: GatewayCallStatus,
      description: "How far it is.",
      resolve: ({ status }) => status as "completed",
    }),
    isStreamed: t.exposeBoolean("isStreamed", { description: "Whether it was answered piece by piece." }),
    promptTokens: t.exposeInt("promptTokens", { nullable: true, description: "Tokens sent; null until known." }),
    completionTokens: t.exposeInt("completionTokens", {
      nullable: true,
      description: "Tokens answered; null until known.",
    }),
    reservedUsd: t.expose("reservedMicroUsd", {
      type: "Usd",
      description: "What was reserved at most, at all providers that were asked.",
    }),
    costUsd: t.expose("costMicroUsd", {
      type: "Usd",
      nullable: true,
      description: "What the answer cost; null until known. The ledger has the last word.",
    }),
    errorCode: t.exposeString("errorCode", { nullable: true, description: "Why it failed." }),
    payments: t.loadableList({
      type: TransactionNode,
      complexity: { field: 2, multiplier: 2 },
      description: "The payments made for it: more than one when a provider was paid and failed.",
      load: paymentsOf,
      resolve: ({ id }) => id,
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was asked for." }),
    firstByteAt: t.expose("firstByteAt", {
      type: "DateTime",
      nullable: true,
      description: "When the provider began to answer; of an answer that is not streamed, when all of it was there.",
    }),
    completedAt: t.expose("completedAt", { type: "DateTime", nullable: true, description: "When it ended." }),
  }),
});

/** The payments of many calls, each in the order they were made. */
async function paymentsOf(callIds: readonly string[], context: Context): Promise<Transaction[][]> {
  const accountId = ownAccountIdWithin(context, "transactions:read");
  const { gatewayTransaction, transaction } = context.deps.db.prisma;
  const links = await gatewayTransaction.findMany({ where: { callId: { in: [...callIds] } } });
  const rows = await transaction.findMany({
    where: { accountId, id: { in: links.map(({ transactionId }) => transactionId) } },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  const callOf = new Map(links.map(({ transactionId, callId }) => [transactionId, callId]));
  return callIds.map((callId) => rows.filter(({ id }) => callOf.get(id) === callId));
}

const GatewayCallFilter = builder.inputType("GatewayCallFilter", {
  description: "Which calls; all that is given must hold.",
  fields: (t) => ({
    model: t.string({ description: "The model asked for." }),
    status: t.field({ type: GatewayCallStatus, description: "How far they are." }),
    from: t.field({ type: "DateTime", description: "Asked for at this time or later." }),
    to: t.field({ type: "DateTime", description: "Asked for before this time." }),
  }),
});

builder.objectField(ViewerType, "gatewayCalls", (t) =>
  t.prismaConnection(
    {
      type: GatewayCallNode,
      ...PAGES,
      description: "The account's calls of language models, newest first.",
      args: { filter: t.arg({ type: GatewayCallFilter, description: "Which of them; default all." }) },
      resolve: async (query, _viewer, { filter }, context) => {
        const accountId = ownAccountIdWithin(context, "transactions:read");
        const { gateway, db } = context.deps;
        const { model, status, from, to } = filter ?? {};
        const createdAt = { ...(from ? { gte: from } : {}), ...(to ? { lt: to } : {}) };
        await gateway.calls.flush();
        const where = { accountId, createdAt, ...(model ? { model } : {}), ...(status ? { status } : {}) };
        return await readPage(
          query,
          { accountId },
          (page) => db.prisma.gatewayCall.findMany({ ...page, where, orderBy: NEWEST_FIRST }),
          (where) => db.prisma.gatewayCall.count({ where }),
        );
      },
    },
    { name: "GatewayCallConnection", description: "A page of calls." },
    { name: "GatewayCallEdge", description: "A call in a list." },
  ),
);
