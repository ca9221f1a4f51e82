import type { CheckoutOrder } from "../../generated/prisma/client.ts";
import { orderChannel } from "../../src/checkout/orders/order-events.ts";
import { NotFoundError } from "../../src/platform/errors.ts";
import { builder } from "../builder.ts";
import type { Context } from "../context.ts";
import { idOf } from "../global-id.ts";
import { requireScopedAccountId } from "../owner.ts";
import { AFTER, CURSOR, describeResumption, RESUMABLE, type Update, watchRows } from "../resumable-updates.ts";
import { CheckoutOrderNode } from "./orders.ts";

const OrderUpdate = builder.objectRef<Update<CheckoutOrder>>("CheckoutOrderUpdate").implement({
  description: "A new or changed order.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", CURSOR),
    order: t.expose("row", { type: CheckoutOrderNode, description: "The current order." }),
  }),
});

builder.subscriptionField("orderUpdated", (t) =>
  t.field({
    type: OrderUpdate,
    ...RESUMABLE,
    description: `Publishes all changes and steps of one order. ${describeResumption()}`,
    args: {
      id: t.arg.id({ required: true, description: "The id of the order.", validate: idOf("CheckoutOrder") }),
      after: t.arg.string(AFTER),
    },
    subscribe: async (_root, { id, after }, context) => {
      await requireOwnOrder(context, id);
      return watchOrders(context, id, after);
    },
    resolve: (update) => update,
  }),
);

builder.subscriptionField("ordersUpdated", (t) =>
  t.field({
    type: OrderUpdate,
    ...RESUMABLE,
    description: `Publishes all changes and steps of the account's orders. ${describeResumption()}`,
    args: {
      after: t.arg.string(AFTER),
    },
    subscribe: (_root, { after }, context) => watchOrders(context, null, after),
    resolve: (update) => update,
  }),
);

/** Checks that the order exists, so a subscription cannot wait forever. @throws {NotFoundError} */
async function requireOwnOrder(context: Context, id: string): Promise<void> {
  const accountId = requireScopedAccountId(context, "transactions:read");
  const order = await context.deps.db.prisma.checkoutOrder.findFirst({
    where: { id, accountId },
    select: { id: true },
  });
  if (!order) throw new NotFoundError("There is no such order.");
}

/** Watches the account's orders. @param only id of the only order to watch; null: all orders */
function watchOrders(context: Context, only: string | null, after: string | null | undefined) {
  const accountId = requireScopedAccountId(context, "transactions:read");
  const { pubsub, db } = context.deps;
  const mine = { accountId, ...(only === null ? {} : { AND: { id: only } }) };
  return watchRows({
    changeColumn: "updatedAt",
    listen: () => pubsub.subscribe(orderChannel(accountId)),
    find: (id) => db.prisma.checkoutOrder.findFirst({ where: { id, ...mine } }),
    findSince: ({ where, ...page }) => db.prisma.checkoutOrder.findMany({ where: { ...mine, ...where }, ...page }),
    after,
  });
}
