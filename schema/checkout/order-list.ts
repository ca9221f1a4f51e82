/** Queries for the orders of an account. */
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { requireScopedAccountId } from "../owner.ts";
import { NEWEST_FIRST, PAGES, readPage } from "../paging.ts";
import { StorableText } from "../text.ts";
import { OrderKindEnum, OrderStatusEnum } from "./order-states.ts";
import { CheckoutOrderNode } from "./orders.ts";

const SCOPE = "transactions:read";

const OrderFilter = builder.inputType("CheckoutOrderFilter", {
  description: "Filters orders; all given conditions must match.",
  fields: (t) => ({
    status: t.field({ type: [OrderStatusEnum], description: "Orders with any of these statuses." }),
    kind: t.field({ type: OrderKindEnum, description: "Orders of this kind." }),
    merchantId: t.string({ description: "Orders at the merchant with this id (`mer_…`)." }),
    isTest: t.boolean({ description: "True: orders at test merchants. False: orders at other merchants." }),
    from: t.field({ type: "DateTime", description: "Orders created at or after this time." }),
    to: t.field({ type: "DateTime", description: "Orders created before this time." }),
    waitsForPerson: t.boolean({
      description:
        "True: orders that wait for the account owner's approval or for a step in the checkout. False: the others.",
    }),
  }),
});

/** Converts the filter to a database condition. */
function ordersWhere(filter: typeof OrderFilter.$inferInput | null | undefined) {
  const { status, kind, merchantId, isTest, from, to, waitsForPerson } = filter ?? {};
  return {
    createdAt: { ...(from ? { gte: from } : {}), ...(to ? { lt: to } : {}) },
    ...(status && status.length > 0 ? { status: { in: status } } : {}),
    ...(kind ? { kind } : {}),
    ...(merchantId ? { merchantId } : {}),
    ...(typeof isTest === "boolean" ? { isTest } : {}),
    ...(typeof waitsForPerson === "boolean" ? { [waitsForPerson ? "AND" : "NOT"]: waitingWhere(new Date()) } : {}),
  };
}

function waitingWhere(now: Date) {
  return {
    OR: [
      { status: "dispatched", personNeededFor: { not: null } },
      { status: "approval_required", approval: { is: { status: "pending", expiresAt: { gt: now } } } },
    ],
  };
}

builder.objectField(ViewerType, "orders", (t) =>
  t.prismaConnection(
    {
      type: CheckoutOrderNode,
      ...PAGES,
      description: "Orders of the account, newest first.",
      args: { filter: t.arg({ type: OrderFilter, description: "Filter. Default: all orders." }) },
      resolve: (query, _viewer, { filter }, context) => {
        const accountId = requireScopedAccountId(context, SCOPE);
        const where = { accountId, ...ordersWhere(filter) };
        return readPage(
          query,
          { accountId },
          (page) => context.deps.db.prisma.checkoutOrder.findMany({ ...page, where, orderBy: NEWEST_FIRST }),
          (where) => context.deps.db.prisma.checkoutOrder.count({ where }),
        );
      },
    },
    { name: "CheckoutOrderConnection", description: "A page of orders." },
    { name: "CheckoutOrderEdge", description: "An edge of an order connection." },
  ),
);

builder.objectField(ViewerType, "order", (t) =>
  t.prismaField({
    type: CheckoutOrderNode,
    nullable: true,
    description: "An order of the account by its id (`ord_…`); null if not found.",
    args: { orderId: t.arg.string({ required: true, validate: StorableText, description: "The id of the order." }) },
    resolve: (query, _viewer, { orderId }, context) =>
      context.deps.db.prisma.checkoutOrder.findFirst({
        ...query,
        where: { id: orderId, accountId: requireScopedAccountId(context, SCOPE) },
      }),
  }),
);
