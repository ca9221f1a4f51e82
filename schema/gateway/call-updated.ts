import type { GatewayCall } from "../../generated/prisma/client.ts";
import { callChannel } from "../../src/gateway/call-events.ts";
import { builder } from "../builder.ts";
import { ownAccountIdWithin } from "../owner.ts";
import { type Update, watchRows } from "../resumable-updates.ts";
import { GatewayCallNode } from "./calls.ts";

const GatewayCallUpdate = builder.objectRef<Update<GatewayCall>>("GatewayCallUpdate").implement({
  description: "A call of a language model that is on record or has ended.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", { description: "Pass it as `after` to go on from here after a lost connection." }),
    call: t.expose("row", { type: GatewayCallNode, description: "The call as it now stands." }),
  }),
});

builder.subscriptionField("gatewayCallUpdated", (t) =>
  t.field({
    type: GatewayCallUpdate,
    complexity: 5,
    // Only those that start with what comes next may share one source: one that resumes sees other events first.
    extensions: { shared: (args: { after?: string | null }) => args.after === undefined || args.after === null },
    description:
      "Every call of the account's, once when it is paid for and once when it has ended; a free one when it has ended. With `after`, first what moved since that event, and perhaps again what moved just before it. A client too slow for the events is ended with an error and may resume.",
    args: {
      after: t.arg.string({ description: "The cursor of the last event seen; default: from now on." }),
    },
    subscribe: (_root, { after }, context) => {
      const accountId = ownAccountIdWithin(context, "transactions:read");
      const { gatewayCall } = context.deps.db.prisma;
      return watchRows<GatewayCall>({
        listen: () => context.deps.pubsub.subscribe(callChannel(accountId)),
        find: (id) => gatewayCall.findFirst({ where: { id, accountId } }),
        findSince: ({ updatedAt, id: seenId }, take) =>
          gatewayCall.findMany({
            where: { accountId, OR: [{ updatedAt: { gt: updatedAt } }, { updatedAt, id: { gt: seenId } }] },
            orderBy: [{ updatedAt: "asc" }, { id: "asc" }],
            take,
          }),
        after: after ?? null,
      });
    },
    resolve: (update) => update,
  }),
);
