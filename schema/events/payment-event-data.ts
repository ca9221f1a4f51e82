/** The data of events about payments. */
import type { PaymentEventData } from "../../src/events/event-data.ts";
import { parseUsd } from "../../src/platform/money.ts";
import { TokenAmountType } from "../amounts.ts";
import { builder } from "../builder.ts";
import { requireScopedAccountId } from "../owner.ts";
import { SchemeEnum } from "../payments/requirements.ts";
import { toLedgerAmount } from "../wallet/token-amounts.ts";
import { TransactionDirection, TransactionNode, TransactionStatus, TransactionType } from "../wallet/transactions.ts";
import { toDate, toDateOrNull } from "./event-dates.ts";

export const PaymentEventDataType = builder.objectRef<PaymentEventData>("PaymentEventData").implement({
  description: "A payment when it ended.",
  fields: (t) => ({
    transactionId: t.exposeID("id", { description: "The ledger id." }),
    transactionType: t.field({
      type: TransactionType,
      description: "The type.",
      resolve: ({ type }) => type as "x402",
    }),
    transactionStatus: t.field({
      type: TransactionStatus,
      description: "The final status.",
      resolve: ({ status }) => status as "settled",
    }),
    transactionDirection: t.field({
      type: TransactionDirection,
      description: "The direction.",
      resolve: ({ direction }) => direction as "out",
    }),
    amount: t.field({
      type: TokenAmountType,
      description: "The charged amount; for a payment that was not settled, the authorized amount.",
      resolve: (payment, _args, context) => toLedgerAmount(context, payment, payment.amountAtomic),
    }),
    feeUsd: t.field({
      type: "Usd",
      description: "The fee, in addition to the amount.",
      resolve: ({ fee }) => parseUsd(fee, "fee"),
    }),
    paidFromCredit: t.exposeBoolean("paidFromCredit", { description: "Whether free credit paid the transaction." }),
    scheme: t.field({
      type: SchemeEnum,
      nullable: true,
      description: "The scheme of an X402 payment. Null for other types.",
      resolve: ({ scheme }) => scheme as "exact" | null,
    }),
    resource: t.exposeString("resource", { nullable: true, description: "The URL of the paid resource." }),
    payTo: t.exposeString("payTo", { nullable: true, description: "The address of the recipient." }),
    txHash: t.exposeString("txHash", { nullable: true, description: "The hash of the transaction on the network." }),
    failureReason: t.exposeString("failureReason", {
      nullable: true,
      description: "The reason for the release or failure. Null if the payment was settled.",
    }),
    createdAt: t.field({
      type: "DateTime",
      description: "Timestamp when the payment was reserved.",
      resolve: ({ createdAt }) => toDate(createdAt),
    }),
    settledAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the settlement was recorded. Null if the payment was not settled.",
      resolve: ({ settledAt }) => toDateOrNull(settledAt),
    }),
    transaction: t.prismaField({
      type: TransactionNode,
      nullable: true,
      description: "The current row of the ledger.",
      resolve: (query, { id }, _args, context) =>
        context.deps.db.prisma.transaction.findUnique({
          ...query,
          where: { id, accountId: requireScopedAccountId(context, "transactions:read") },
        }),
    }),
  }),
});
