/** The account's orders, as a list and one by one. */
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { ownAccountIdWithin } from "../owner.ts";
import { NEWEST_FIRST, PAGES, readPage } from "../paging.ts";
import { StorableText } from "../text.ts";
import { OrderKindEnum, OrderStatusEnum } from "./order-states.ts";
import { CheckoutOrderNode } from "./orders.ts";

const SCOPE = "transactions:read";

const OrderFilter = builder.inputType("CheckoutOrderFilter", {
  description: "Which orders; all that is given must hold.",
  fields: (t) => ({
    status: t.field({ type: [OrderStatusEnum], description: "How far they are: any of these." }),
    kind: t.field({ type: OrderKindEnum, description: "What they are." }),
    merchantId: t.string({ description: "At the shop of this id (`mer_…`)." }),
    isTest: t.boolean({ description: "At test shops, or at others." }),
    from: t.field({ type: "DateTime", description: "Asked for at this time or later." }),
    to: t.field({ type: "DateTime", description: "Asked for before this time." }),
    waitsForPerson: t.boolean({
      description: "Those that wait for their person, to approve them or to do what the checkout asks; or the others.",
    }),
  }),
});

/** The filter as the database takes it. */
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
      description: "The account's orders at shops, newest first.",
      args: { filter: t.arg({ type: OrderFilter, description: "Which of them; default all." }) },
      resolve: (query, _viewer, { filter }, context) => {
        const accountId = ownAccountIdWithin(context, SCOPE);
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
    { name: "CheckoutOrderEdge", description: "An order in a list." },
  ),
);

builder.objectField(ViewerType, "order", (t) =>
  t.prismaField({
    type: CheckoutOrderNode,
    nullable: true,
    description: "One of the account's orders by its own id (`ord_…`); null when there is none.",
    args: { orderId: t.arg.string({ required: true, validate: StorableText, description: "The order's own id." }) },
    resolve: (query, _viewer, { orderId }, context) =>
      context.deps.db.prisma.checkoutOrder.findFirst({
        ...query,
        where: { id: orderId, accountId: ownAccountIdWithin(context, SCOPE) },
      }),
  }),
);
