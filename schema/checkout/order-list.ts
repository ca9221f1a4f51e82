/** Queries for the orders of an account. */
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { idOf } from "../global-id.ts";
import { requireScopedAccountId } from "../owner.ts";
import { NEWEST_FIRST, PAGES, readPage } from "../paging.ts";
import { UPDATES_CURSOR } from "../resumable-updates.ts";
import { OrderKindEnum, OrderStatusEnum } from "./order-states.ts";
import { CheckoutOrderNode } from "./orders.ts";

const SCOPE = "transactions:read";

const OrderFilter = builder.inputType("CheckoutOrderFilter", {
  description: "Filters orders; all given conditions must match.",
  fields: (t) => ({
    statuses: t.field({ type: [OrderStatusEnum], description: "Orders with any of these statuses." }),
    kinds: t.field({ type: [OrderKindEnum], description: "Orders of any of these kinds." }),
    merchantId: t.id({ description: "Orders at the merchant with this id.", validate: idOf("Merchant") }),
    isTest: t.boolean({ description: "True: orders at test merchants. False: orders at other merchants." }),
    createdAfter: t.field({ type: "DateTime", description: "Orders created at or after this time." }),
    createdBefore: t.field({ type: "DateTime", description: "Orders created before this time." }),
    waitsForPerson: t.boolean({
      description:
        "True: orders that wait for the account owner's approval or for a step in the checkout. False: the others.",
    }),
  }),
});

/** Converts the filter to a database condition. */
function ordersWhere(filter: typeof OrderFilter.$inferInput | null | undefined) {
  const { statuses, kinds, merchantId, isTest, createdAfter, createdBefore, waitsForPerson } = filter ?? {};
  return {
    createdAt: { ...(createdAfter ? { gte: createdAfter } : {}), ...(createdBefore ? { lt: createdBefore } : {}) },
    ...(statuses && statuses.length > 0 ? { status: { in: statuses } } : {}),
    ...(kinds && kinds.length > 0 ? { kind: { in: kinds } } : {}),
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
    {
      name: "CheckoutOrderConnection",
      description: "A page of orders.",
      fields: (t) => ({ updatesCursor: t.string(UPDATES_CURSOR) }),
    },
    { name: "CheckoutOrderEdge", description: "An edge of an order connection." },
  ),
);
