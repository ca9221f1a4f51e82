import { z } from "zod";
import type { CheckoutOrder, Prisma } from "../../generated/prisma/client.ts";
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

const MAX_IDS = 100;

builder.subscriptionField("orderUpdated", (t) =>
  t.field({
    type: OrderUpdate,
    ...RESUMABLE,
    description: `Publishes all changes and steps of the account's orders. An unknown id is an error of code \`not_found\`. ${describeResumption()}`,
    args: {
      ids: t.arg.idList({
        description: `The ids of the orders to follow, at most ${MAX_IDS}. Default: all orders.`,
        validate: z.array(idOf("CheckoutOrder")).min(1).max(MAX_IDS),
      }),
      after: t.arg.string(AFTER),
    },
    subscribe: async (_root, { ids, after }, context) => {
      const accountId = requireScopedAccountId(context, "transactions:read");
      const followed = { accountId, ...(ids ? { AND: { id: { in: ids } } } : {}) };
      if (ids) await requireOrders(context, ids, followed);
      return watchOrders(context, followed, after);
    },
    resolve: (update) => update,
  }),
);

type OrderWhere = Prisma.CheckoutOrderWhereInput & { readonly accountId: string };

/** Checks that all orders exist, so that a subscription cannot wait forever. @throws {NotFoundError} */
async function requireOrders({ deps }: Context, ids: readonly string[], where: OrderWhere): Promise<void> {
  const found = await deps.db.prisma.checkoutOrder.count({ where });
  if (found < new Set(ids).size) throw new NotFoundError("There is no such order.");
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
