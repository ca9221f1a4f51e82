import type { CheckoutOrder, Prisma } from "../../generated/prisma/client.ts";
import { orderChannel } from "../../src/checkout/orders/order-events.ts";
import { NotFoundError } from "../../src/platform/errors.ts";
import { builder } from "../builder.ts";
import type { Context } from "../context.ts";
import { selectedOf } from "../filters.ts";
import { idOf } from "../global-id.ts";
import { requireScopedAccountId, resolveWithScope } from "../owner.ts";
import { AFTER, CURSOR, describeResumption, RESUMABLE, type Update, watchRows } from "../resumable-updates.ts";
import { OrderStatusEnum } from "./order-states.ts";
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
    description: `Publishes all changes and steps of the account's orders. An unknown id is an error of code \`not_found\`. ${describeResumption()}`,
    args: {
      id: t.arg.id({
        description: "The id of the order to follow. Default: all orders.",
        validate: idOf("CheckoutOrder"),
      }),
      statuses: t.arg({
        type: [OrderStatusEnum],
        description: "The statuses to publish: other states of an order are omitted. Default: all.",
      }),
      after: t.arg.string(AFTER),
    },
    subscribe: async (_root, { id, statuses, after }, context) => {
      const accountId = requireScopedAccountId(context, "transactions:read");
      if (id) await requireOrder(context, { accountId, id });
      const ofStatuses = selectedOf(statuses);
      const only = { ...(id ? { id } : {}), ...(ofStatuses ? { status: { in: [...ofStatuses] } } : {}) };
      return watchOrders(context, { accountId, AND: only }, after);
    },
    resolve: resolveWithScope("transactions:read"),
  }),
);

type OrderWhere = Prisma.CheckoutOrderWhereInput & { readonly accountId: string };

/** Checks that the order exists, so that a subscription cannot wait forever. @throws {NotFoundError} */
async function requireOrder({ deps }: Context, where: OrderWhere): Promise<void> {
  const order = await deps.db.prisma.checkoutOrder.findFirst({ where, select: { id: true } });
  if (!order) throw new NotFoundError("There is no such order.");
}

function watchOrders({ deps }: Context, mine: OrderWhere, after: string | null | undefined) {
  const { pubsub, db } = deps;
  return watchRows({
    changeColumn: "updatedAt",
    listen: () => pubsub.subscribe(orderChannel(mine.accountId)),
    find: (id) => db.prisma.checkoutOrder.findFirst({ where: { id, ...mine } }),
    findSince: ({ where, ...page }) => db.prisma.checkoutOrder.findMany({ where: { ...mine, ...where }, ...page }),
    after,
  });
}
