import type { GatewayCall } from "../../generated/prisma/client.ts";
import { callChannel } from "../../src/gateway/call-events.ts";
import { builder } from "../builder.ts";
import { ownAccountIdWithin } from "../owner.ts";
import { AFTER, CURSOR, RESUMABLE, resuming, type Update, watchRows } from "../resumable-updates.ts";
import { GatewayCallNode } from "./calls.ts";

const GatewayCallUpdate = builder.objectRef<Update<GatewayCall>>("GatewayCallUpdate").implement({
  description: "A call of a language model that is on record or has ended.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", CURSOR),
    call: t.expose("row", { type: GatewayCallNode, description: "The call as it now stands." }),
  }),
});

builder.subscriptionField("gatewayCallUpdated", (t) =>
  t.field({
    type: GatewayCallUpdate,
    ...RESUMABLE,
    description: `Every call of the account's, once when it is paid for and once when it has ended; a free one when it has ended. ${resuming()}`,
    args: {
      after: t.arg.string(AFTER),
    },
    subscribe: (_root, { after }, context) => {
      const accountId = ownAccountIdWithin(context, "transactions:read");
      const { gatewayCall } = context.deps.db.prisma;
      return watchRows({
        movedAt: "updatedAt",
        listen: () => context.deps.pubsub.subscribe(callChannel(accountId)),
        find: (id) => gatewayCall.findFirst({ where: { id, accountId } }),
        findSince: ({ where, ...page }) => gatewayCall.findMany({ where: { accountId, ...where }, ...page }),
        after,
      });
    },
    resolve: (update) => update,
  }),
);
