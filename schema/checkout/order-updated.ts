import type { CheckoutOrder } from "../../generated/prisma/client.ts";
import { orderChannel } from "../../src/checkout/orders/order-events.ts";
import { NotFoundError } from "../../src/platform/errors.ts";
import { builder } from "../builder.ts";
import type { Context } from "../context.ts";
import { readOwnId } from "../global-id.ts";
import { ownAccountIdWithin } from "../owner.ts";
import { AFTER, CURSOR, RESUMABLE, resuming, type Update, watchRows } from "../resumable-updates.ts";
import { CheckoutOrderNode } from "./orders.ts";

const OrderUpdate = builder.objectRef<Update<CheckoutOrder>>("CheckoutOrderUpdate").implement({
  description: "An order that is new or has moved.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", CURSOR),
    order: t.expose("row", { type: CheckoutOrderNode, description: "The order as it now stands." }),
  }),
});

builder.subscriptionField("orderUpdated", (t) =>
  t.field({
    type: OrderUpdate,
    ...RESUMABLE,
    description: `Every move and step of one order, as it happens. ${resuming()}`,
    args: {
      id: t.arg.id({ required: true, description: "The order's global id or its own (`ord_…`)." }),
      after: t.arg.string(AFTER),
    },
    subscribe: async (_root, { id, after }, context) => {
      const orderId = readOwnId("CheckoutOrder", id);
      await requireOwnOrder(context, orderId);
      return watchOrders(context, orderId, after);
    },
    resolve: (update) => update,
  }),
);

builder.subscriptionField("ordersUpdated", (t) =>
  t.field({
    type: OrderUpdate,
    ...RESUMABLE,
    description: `Every move and step of the account's orders, as it happens. ${resuming()}`,
    args: {
      after: t.arg.string(AFTER),
    },
    subscribe: (_root, { after }, context) => watchOrders(context, null, after),
    resolve: (update) => update,
  }),
);

/** @throws {NotFoundError} rather than wait for ever for what is not there */
async function requireOwnOrder(context: Context, id: string): Promise<void> {
  const accountId = ownAccountIdWithin(context, "transactions:read");
  const order = await context.deps.db.prisma.checkoutOrder.findFirst({
    where: { id, accountId },
    select: { id: true },
  });
  if (!order) throw new NotFoundError("There is no such order.");
}

/** @param only of this order; null: of all */
function watchOrders(context: Context, only: string | null, after: string | null | undefined) {
  const accountId = ownAccountIdWithin(context, "transactions:read");
  const { pubsub, db } = context.deps;
  const mine = { accountId, ...(only === null ? {} : { AND: { id: only } }) };
  return watchRows({
    movedAt: "updatedAt",
    listen: () => pubsub.subscribe(orderChannel(accountId)),
    find: (id) => db.prisma.checkoutOrder.findFirst({ where: { id, ...mine } }),
    findSince: ({ where, ...page }) => db.prisma.checkoutOrder.findMany({ where: { ...mine, ...where }, ...page }),
    after,
  });
}
