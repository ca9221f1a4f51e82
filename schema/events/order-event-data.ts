/** The data of events about orders. */
import type { FailureCause } from "../../src/checkout/orders/states.ts";
import type { OrderEventData } from "../../src/events/event-data.ts";
import { MoneyType, toMoney } from "../amounts.ts";
import { builder } from "../builder.ts";
import { OrderErrorCodeEnum, OrderKindEnum, OrderStatusEnum, RetryActionEnum } from "../checkout/order-states.ts";
import { CheckoutOrderNode } from "../checkout/orders.ts";
import { requireScopedAccountId } from "../owner.ts";
import { toDate, toDateOrNull } from "./event-dates.ts";

export const OrderEventDataType = builder.objectRef<OrderEventData>("CheckoutOrderEventData").implement({
  description: "An order when it required approval, was dispatched, or ended.",
  fields: (t) => ({
    orderId: t.exposeID("id", { description: "The order's own id." }),
    orderKind: t.field({ type: OrderKindEnum, description: "The kind.", resolve: ({ kind }) => kind as "purchase" }),
    orderStatus: t.field({
      type: OrderStatusEnum,
      description: "The status of the order.",
      resolve: ({ status }) => status as "pending",
    }),
    approvedAmount: t.field({
      type: MoneyType,
      nullable: true,
      description: "The approved amount, which is the maximum charge. Null for an exploration.",
      resolve: ({ amountMinor, currency }) => toMoney(amountMinor, currency),
    }),
    chargedAmount: t.field({
      type: MoneyType,
      nullable: true,
      description: "The charge as stated by the merchant's page. Null until it states one.",
      resolve: ({ amountChargedMinor, currency }) => toMoney(amountChargedMinor, currency),
    }),
    isTest: t.exposeBoolean("test", {
      description: "Whether the order was placed at a test merchant, where no real money moves.",
    }),
    retryable: t.exposeBoolean("retryable", {
      nullable: true,
      description: "Whether a new order may succeed. Null until the order has ended.",
    }),
    retryAction: t.field({
      type: RetryActionEnum,
      nullable: true,
      description: "The only next call that the client should make. Null until the order has ended.",
      resolve: ({ retryAction }) => retryAction as "none" | null,
    }),
    errorCode: t.field({
      type: OrderErrorCodeEnum,
      nullable: true,
      description: "The cause of a failed order, or of an overcharge. Null otherwise.",
      resolve: ({ errorCode }) => errorCode as FailureCause | null,
    }),
    errorMessage: t.exposeString("errorMessage", { nullable: true, description: "User-facing text of the error." }),
    merchantOrderNumber: t.exposeString("merchantOrderNumber", {
      nullable: true,
      description: "The merchant's order number. Null until the merchant states one.",
    }),
    createdAt: t.field({
      type: "DateTime",
      description: "Timestamp when the order was created.",
      resolve: ({ createdAt }) => toDate(createdAt),
    }),
    completedAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the order ended. Null until then.",
      resolve: ({ completedAt }) => toDateOrNull(completedAt),
    }),
    order: t.prismaField({
      type: CheckoutOrderNode,
      nullable: true,
      description: "The order, with its merchant.",
      resolve: (query, { id }, _args, context) =>
        context.deps.db.prisma.checkoutOrder.findUnique({
          ...query,
          where: { id, accountId: requireScopedAccountId(context, "transactions:read") },
        }),
    }),
  }),
});
