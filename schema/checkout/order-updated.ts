import type { CheckoutOrder } from "../../generated/prisma/client.ts";
import { orderChannel } from "../../src/checkout/orders/order-events.ts";
import { InvalidRequestError, NotFoundError } from "../../src/platform/errors.ts";
import { builder } from "../builder.ts";
import type { Context } from "../context.ts";
import { readGlobalId } from "../global-id.ts";
import { ownAccountIdWithin } from "../owner.ts";
import { type Update, watchRows } from "../resumable-updates.ts";
import { CheckoutOrderNode } from "./orders.ts";

const OrderUpdate = builder.objectRef<Update<CheckoutOrder>>("CheckoutOrderUpdate").implement({
  description: "An order that is new or has moved.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", { description: "Pass it as `after` to go on from here after a lost connection." }),
    order: t.expose("row", { type: CheckoutOrderNode, description: "The order as it now stands." }),
  }),
});

const RESUMING =
  "With `after`, first what moved since that event, and perhaps again what moved just before it. A client too slow for the events is ended with an error and may resume.";
// Only those that start with what comes next may share one source: one that resumes sees other events first.
const SHARED = {
  shared: (args: { after?: string | null | undefined }) => args.after === undefined || args.after === null,
};

builder.subscriptionField("orderUpdated", (t) =>
  t.field({
    type: OrderUpdate,
    complexity: 5,
    extensions: SHARED,
    description: `Every move and step of one order, as it happens. ${RESUMING}`,
    args: {
      id: t.arg.id({ required: true, description: "The order's global id or its own (`ord_…`)." }),
      after: t.arg.string({ description: "The cursor of the last event seen; default: from now on." }),
    },
    subscribe: async (_root, { id, after }, context) => {
      const orderId = orderIdOf(id);
      await requireOwnOrder(context, orderId);
      return watchOrders(context, orderId, after);
    },
    resolve: (update) => update,
  }),
);

builder.subscriptionField("ordersUpdated", (t) =>
  t.field({
    type: OrderUpdate,
    complexity: 5,
    extensions: SHARED,
    description: `Every move and step of the account's orders, as it happens. ${RESUMING}`,
    args: {
      after: t.arg.string({ description: "The cursor of the last event seen; default: from now on." }),
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
  return watchRows<CheckoutOrder>({
    listen: () => pubsub.subscribe(orderChannel(accountId)),
    find: (id) => db.prisma.checkoutOrder.findFirst({ where: { id, ...mine } }),
    findSince: ({ updatedAt, id: seenId }, take) =>
      db.prisma.checkoutOrder.findMany({
        where: { ...mine, OR: [{ updatedAt: { gt: updatedAt } }, { updatedAt, id: { gt: seenId } }] },
        orderBy: [{ updatedAt: "asc" }, { id: "asc" }],
        take,
      }),
    after: after ?? null,
  });
}

function orderIdOf(given: string): string {
  if (/^ord_\w{1,80}$/.test(given)) return given;
  const { typename, id } = readGlobalId(given);
  if (typename !== "CheckoutOrder") throw new InvalidRequestError("id is no order's id.", "id");
  return id;
}
