/** Queries for the orders of an account. */
import type { Prisma } from "../../generated/prisma/client.ts";
import type { ListFilter } from "../../src/platform/database/list-page.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { createConnectionReader } from "../child-pages.ts";
import { resolveConnection } from "../connection.ts";
import { only, selectedOf } from "../filters.ts";
import { idOf } from "../global-id.ts";
import { orderedBy, orderType } from "../list-order.ts";
import { requireScopedAccountId } from "../owner.ts";
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

const ordersOf = createConnectionReader(
  {
    ...{ table: "checkout_orders", parentColumn: "account_id", parentType: "uuid", timeColumn: "created_at" },
    order: "newest first",
    facets: {
      status: "child.status",
      kind: "child.kind",
      isTest: "child.is_test",
      merchantId: "coalesce(child.merchant_id, '')",
    },
  },
  ({ deps }, selection: Prisma.CheckoutOrderDefaultArgs, ids) =>
    deps.db.prisma.checkoutOrder.findMany({ ...selection, where: { id: { in: ids } } }),
  ({ deps }, id, accountId) => deps.db.prisma.checkoutOrder.count({ where: { id, accountId } }),
);

const WAITING_STATUSES = ["dispatched", "approval_required"];
const IS_WAITING = `(child.status = 'dispatched' AND child.person_needed_for IS NOT NULL
  OR child.status = 'approval_required' AND EXISTS (SELECT FROM checkout_approvals AS approval
    WHERE approval.order_id = child.id AND approval.status = 'pending' AND approval.expires_at > now()))`;

function toListFilter(filter: typeof OrderFilter.$inferInput | null | undefined): ListFilter {
  const { merchantId, isTest, createdAfter, createdBefore, waitsForPerson } = filter ?? {};
  const statuses = selectedOf(filter?.statuses);
  // Few orders have the statuses in which an order can wait.
  const waiting = WAITING_STATUSES.filter((name) => statuses?.some((given) => given === name) ?? true);
  const isWaiting = { sql: waitsForPerson ? IS_WAITING : `NOT ${IS_WAITING}` };
  return {
    facets: {
      status: waitsForPerson ? waiting : statuses,
      kind: selectedOf(filter?.kinds),
      isTest: only(isTest),
      merchantId: only(merchantId),
    },
    from: createdAfter,
    to: createdBefore,
    conditions: typeof waitsForPerson === "boolean" ? [isWaiting] : [],
  };
}

const BY_TIME = orderedBy(
  orderType("CheckoutOrderOrder", "orders", "CREATED_AT", "The time when the order was created."),
  "DESC",
);

builder.objectField(ViewerType, "orders", (t) =>
  t.connection(
    {
      type: CheckoutOrderNode,
      ...BY_TIME.pages,
      description: "Orders of the account, newest first.",
      args: {
        filter: t.arg({ type: OrderFilter, description: "Filter. Default: all orders." }),
        orderBy: t.arg(BY_TIME.argument),
      },
      resolve: (_viewer, args, context, info) => {
        const accountId = requireScopedAccountId(context, SCOPE);
        const orders = ordersOf(context, accountId, toListFilter(args.filter), BY_TIME.orderOf(args));
        return resolveConnection(args, context, info, orders);
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
