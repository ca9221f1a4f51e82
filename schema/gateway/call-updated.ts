import type { GatewayCall } from "../../generated/prisma/client.ts";
import { callChannel } from "../../src/gateway/call-events.ts";
import { builder } from "../builder.ts";
import { requireScopedAccountId } from "../owner.ts";
import { AFTER, CURSOR, describeResumption, RESUMABLE, type Update, watchRows } from "../resumable-updates.ts";
import { GatewayCallNode } from "./calls.ts";

const GatewayCallUpdate = builder.objectRef<Update<GatewayCall>>("GatewayCallUpdate").implement({
  description: "An update of a language model call, sent when the call is recorded and when it ends.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", CURSOR),
    call: t.expose("row", { type: GatewayCallNode, description: "The current state of the call." }),
  }),
});

builder.subscriptionField("gatewayCallUpdated", (t) =>
  t.field({
    type: GatewayCallUpdate,
    ...RESUMABLE,
    description: `Updates of the account's language model calls: one when a call is paid and one when it ends. A free call has only the latter. ${describeResumption()}`,
    args: {
      after: t.arg.string(AFTER),
    },
    subscribe: (_root, { after }, context) => {
      const accountId = requireScopedAccountId(context, "transactions:read");
      const { gatewayCall } = context.deps.db.prisma;
      return watchRows({
        changeColumn: "updatedAt",
        listen: () => context.deps.pubsub.subscribe(callChannel(accountId)),
        find: (id) => gatewayCall.findFirst({ where: { id, accountId } }),
        findSince: ({ where, ...page }) => gatewayCall.findMany({ where: { accountId, ...where }, ...page }),
        after,
      });
    },
    resolve: (update) => update,
  }),
);
