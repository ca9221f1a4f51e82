import type { Prisma, Transaction } from "../../generated/prisma/client.ts";
import { ERROR_CODES } from "../../src/platform/error-codes.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { lookUpById } from "../by-id.ts";
import { createConnectionReader } from "../child-pages.ts";
import { resolveConnection } from "../connection.ts";
import type { Context } from "../context.ts";
import { ErrorCodeEnum } from "../errors.ts";
import { only, selectedOf } from "../filters.ts";
import { orderedBy, orderType } from "../list-order.ts";
import { requireScopedAccountId } from "../owner.ts";
import { UPDATES_CURSOR } from "../resumable-updates.ts";
import { TransactionNode } from "../wallet/transactions.ts";
import { wireEnum } from "../wire-enum.ts";

export const GatewayCallStatus = wireEnum("GatewayCallStatus", "The status of a language model call.", {
  pending: "The call is in progress.",
  completed: "The model responded completely.",
  aborted: "The caller disconnected before the end. The used tokens are charged.",
  failed: "The model did not respond, or not completely. `errorCode` has the reason.",
});

export const GatewayCallNode = builder.prismaNode("GatewayCall", {
  id: { field: "id", description: "The global ID of the call." },
  findUnique: (id, context) => ({ id, accountId: requireScopedAccountId(context, "transactions:read") }),
  nullable: true,
  description: "A call of a language model, with its usage and cost.",
  fields: (t) => ({
    callId: t.exposeID("id", { description: "The ID of the call in the REST API." }),
    model: t.exposeString("model", { description: "The requested model." }),
    provider: t.exposeString("provider", {
      nullable: true,
      description: "The provider that responded. Null until one has.",
    }),
    status: t.field({
      type: GatewayCallStatus,
      description: "The status of the call.",
      resolve: ({ status }) => status as "completed",
    }),
    isStreamed: t.exposeBoolean("isStreamed", { description: "Whether the response was streamed." }),
    promptTokens: t.exposeInt("promptTokens", {
      nullable: true,
      description: "The number of prompt tokens. Null until known.",
    }),
    completionTokens: t.exposeInt("completionTokens", {
      nullable: true,
      description: "The number of completion tokens. Null until known.",
    }),
    cachedPromptTokens: t.exposeInt("cachedPromptTokens", {
      nullable: true,
      description: "The number of prompt tokens that the provider read from its cache. Null until known.",
    }),
    isEstimated: t.exposeBoolean("isEstimated", {
      description: "Whether Satchel counted tokens of the call, because the provider did not report them.",
    }),
    reservedUsd: t.expose("reservedMicroUsd", {
      type: "Usd",
      description: "The total amount reserved for the call, over all providers that were called.",
    }),
    costUsd: t.expose("costMicroUsd", {
      type: "Usd",
      nullable: true,
      description: "The cost of the call. Null until known. The ledger is authoritative.",
    }),
    errorCode: t.field({
      type: ErrorCodeEnum,
      nullable: true,
      description: "The error code of a failed call. Null for other calls.",
      resolve: ({ errorCode }) => ERROR_CODES.find((code) => code === errorCode),
    }),
    payments: t.loadableList({
      type: TransactionNode,
      complexity: { field: 2, multiplier: 2 },
      description: "The payments made for the call. There is more than one if a provider failed after it was paid.",
      load: loadPayments,
      resolve: ({ id }) => id,
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp when the call was requested." }),
    firstByteAt: t.expose("firstByteAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp of the first byte of the response. Without streaming, of the complete response.",
    }),
    completedAt: t.expose("completedAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the call ended.",
    }),
  }),
});

lookUpById("gatewayCall", "GatewayCall", GatewayCallNode, "the call");

/** Loads the payments of several calls, each in creation order. */
async function loadPayments(callIds: readonly string[], context: Context): Promise<Transaction[][]> {
  const accountId = requireScopedAccountId(context, "transactions:read");
  const { gatewayTransaction, transaction } = context.deps.db.prisma;
  const links = await gatewayTransaction.findMany({ where: { callId: { in: [...callIds] } } });
  const rows = await transaction.findMany({
    where: { accountId, id: { in: links.map(({ transactionId }) => transactionId) } },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  const callIdByTransaction = new Map(links.map(({ transactionId, callId }) => [transactionId, callId]));
  return callIds.map((callId) => rows.filter(({ id }) => callIdByTransaction.get(id) === callId));
}

const GatewayCallFilter = builder.inputType("GatewayCallFilter", {
  description: "Filters for language model calls. A call must match all of them.",
  fields: (t) => ({
    model: t.string({ description: "Only calls of this model." }),
    statuses: t.field({ type: [GatewayCallStatus], description: "The statuses of the calls. Default: all." }),
    createdAfter: t.field({ type: "DateTime", description: "Only calls requested at or after this time." }),
    createdBefore: t.field({ type: "DateTime", description: "Only calls requested before this time." }),
  }),
});

const callsOf = createConnectionReader(
  {
    ...{ table: "gateway_calls", parentColumn: "account_id", parentType: "uuid", timeColumn: "created_at" },
    order: "newest first",
    facets: { model: "child.model", status: "child.status" },
  },
  ({ deps }, selection: Prisma.GatewayCallDefaultArgs, ids) =>
    deps.db.prisma.gatewayCall.findMany({ ...selection, where: { id: { in: ids } } }),
  ({ deps }, id, accountId) => deps.db.prisma.gatewayCall.count({ where: { id, accountId } }),
);

const BY_TIME = orderedBy(
  orderType("GatewayCallOrder", "language model calls", "CREATED_AT", "The time when the call was requested."),
  "DESC",
);

builder.objectField(ViewerType, "gatewayCalls", (t) =>
  t.connection(
    {
      type: GatewayCallNode,
      ...BY_TIME.pages,
      description: "The account's language model calls, newest first.",
      args: {
        filter: t.arg({ type: GatewayCallFilter, description: "Filters for the calls; default: all calls." }),
        orderBy: t.arg(BY_TIME.argument),
      },
      resolve: async (_viewer, args, context, info) => {
        const accountId = requireScopedAccountId(context, "transactions:read");
        const { model, statuses, createdAfter, createdBefore } = args.filter ?? {};
        await context.deps.gateway.calls.flush();
        const facets = { model: only(model), status: selectedOf(statuses) };
        const filter = { facets, from: createdAfter, to: createdBefore };
        return await resolveConnection(args, context, info, callsOf(context, accountId, filter, BY_TIME.orderOf(args)));
      },
    },
    {
      name: "GatewayCallConnection",
      description: "A page of language model calls.",
      fields: (t) => ({ updatesCursor: t.string(UPDATES_CURSOR) }),
    },
    { name: "GatewayCallEdge", description: "A language model call in a page." },
  ),
);
