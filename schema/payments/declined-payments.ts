import type { DeclinedPayment, Prisma } from "../../generated/prisma/client.ts";
import type { ErrorCode } from "../../src/platform/error-codes.ts";
import { findPayers } from "../../src/wallet/payers.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { lookUpById } from "../by-id.ts";
import { createConnectionReader } from "../child-pages.ts";
import { resolveConnection } from "../connection.ts";
import type { Context } from "../context.ts";
import { ErrorCodeEnum } from "../errors.ts";
import { selectedOf } from "../filters.ts";
import { orderedBy, orderType } from "../list-order.ts";
import { requireScopedAccountId } from "../owner.ts";
import { PayerType } from "../wallet/payer.ts";
import { TransactionType } from "../wallet/transactions.ts";
import { wireEnum } from "../wire-enum.ts";
import { LimitPeriod } from "./payment-errors.ts";

const LimitOwner = wireEnum("LimitOwner", "The owner of a spending limit.", {
  account: "The account.",
  token: "The API token, application or one-time purchase token, or one that created it.",
});

export const DeclinedPaymentNode = builder.prismaNode("DeclinedPayment", {
  id: { field: "id", description: "The global id of the declined payment." },
  findUnique: (id, context) => ({ id, accountId: requireScopedAccountId(context, "transactions:read") }),
  nullable: true,
  description: "A payment that was declined before anything was signed. It holds no money.",
  fields: (t) => ({
    declinedPaymentId: t.exposeID("id", { description: "The id in the REST API." }),
    type: t.field({ type: TransactionType, description: "The type.", resolve: ({ type }) => type as "x402" }),
    declineReason: t.field({
      type: ErrorCodeEnum,
      description: "The reason: the code of the error that the caller received.",
      resolve: ({ reason }) => reason as ErrorCode,
    }),
    message: t.exposeString("message", { description: "The message of that error." }),
    resource: t.exposeString("resource", {
      nullable: true,
      description: "The URL of the resource. Null for a transfer.",
    }),
    network: t.expose("network", {
      type: "NetworkName",
      nullable: true,
      description: "The network. Null if none was chosen.",
    }),
    amountUsd: t.expose("amountMicroUsd", {
      type: "Usd",
      nullable: true,
      description: "The price in US dollars. Null if the reason does not depend on it.",
    }),
    limitOwner: t.field({
      type: LimitOwner,
      nullable: true,
      description: "The owner of the exceeded spending limit. Null for other reasons.",
      resolve: ({ limitOwner }) => limitOwner as "account" | null,
    }),
    limitPeriod: t.field({
      type: LimitPeriod,
      nullable: true,
      description: "The payments that the exceeded limit counts. Null for other reasons.",
      resolve: ({ limitPeriod }) => limitPeriod as "day" | null,
    }),
    limitUsd: t.expose("limitMicroUsd", {
      type: "Usd",
      nullable: true,
      description: "The exceeded limit in US dollars. Null for other reasons.",
    }),
    remainingUsd: t.expose("remainingMicroUsd", {
      type: "Usd",
      nullable: true,
      description: "The amount that remained within that limit, in US dollars. Null for other reasons.",
    }),
    requestedBy: t.loadable({
      type: PayerType,
      nullable: true,
      description: "The credential that requested the payment. Null for unknown credentials.",
      load: (rows: readonly DeclinedPayment[], { deps }: Context) => findPayers(deps, rows),
      loaderOptions: { cache: false },
      resolve: (row) => row,
    }),
    occurrences: t.exposeInt("occurrences", {
      description:
        "The number of refusals. It exceeds 1 if the account had many in an hour, which may have other reasons.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp of the refusal." }),
    lastDeclinedAt: t.expose("lastDeclinedAt", {
      type: "DateTime",
      description: "Timestamp of the last counted refusal.",
    }),
  }),
});

const declinedPaymentsOf = createConnectionReader(
  {
    ...{ table: "declined_payments", parentColumn: "account_id", parentType: "uuid", timeColumn: "created_at" },
    order: "newest first",
  },
  ({ deps }, selection: Prisma.DeclinedPaymentDefaultArgs, ids) =>
    deps.db.prisma.declinedPayment.findMany({ ...selection, where: { id: { in: ids } } }),
  ({ deps }, id, accountId) => deps.db.prisma.declinedPayment.count({ where: { id, accountId } }),
);

const DeclinedPaymentFilter = builder.inputType("DeclinedPaymentFilter", {
  description: "A filter on declined payments. All given conditions must match.",
  fields: (t) => ({
    declineReasons: t.field({ type: [ErrorCodeEnum], description: "The reasons. Default: all." }),
    createdAfter: t.field({ type: "DateTime", description: "Only payments declined at or after this time." }),
    createdBefore: t.field({ type: "DateTime", description: "Only payments declined before this time." }),
  }),
});

const BY_TIME = orderedBy(
  orderType("DeclinedPaymentOrder", "declined payments", "CREATED_AT", "The time of the refusal."),
  "DESC",
);

builder.objectField(ViewerType, "declinedPayments", (t) =>
  t.connection(
    {
      type: DeclinedPaymentNode,
      ...BY_TIME.pages,
      description: "Payments that were declined, newest first.",
      args: {
        filter: t.arg({ type: DeclinedPaymentFilter, description: "A filter. Default: all declined payments." }),
        orderBy: t.arg(BY_TIME.argument),
      },
      resolve: (_viewer, args, context, info) => {
        const accountId = requireScopedAccountId(context, "transactions:read");
        const { declineReasons, createdAfter, createdBefore } = args.filter ?? {};
        const reasons = selectedOf(declineReasons);
        const conditions = reasons ? [{ sql: "child.reason = ANY(?::text[])", values: [reasons] }] : [];
        const filter = { conditions, from: createdAfter, to: createdBefore };
        const payments = declinedPaymentsOf(context, accountId, filter, BY_TIME.orderOf(args));
        return resolveConnection(args, context, info, payments);
      },
    },
    { name: "DeclinedPaymentConnection", description: "A page of declined payments." },
    { name: "DeclinedPaymentEdge", description: "An edge of a declined payment connection." },
  ),
);

lookUpById("declinedPayment", "DeclinedPayment", DeclinedPaymentNode, "the declined payment");
