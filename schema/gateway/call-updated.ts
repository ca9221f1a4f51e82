import type { GatewayCall } from "../../generated/prisma/client.ts";
import { callChannel } from "../../src/gateway/call-events.ts";
import { NotFoundError } from "../../src/platform/errors.ts";
import { builder } from "../builder.ts";
import { idOf } from "../global-id.ts";
import { requireScopedAccountId, resolveWithScope } from "../owner.ts";
import { AFTER, CURSOR, describeResumption, RESUMABLE, type Update, watchRows } from "../resumable-updates.ts";
import { GatewayCallNode, GatewayCallStatus } from "./calls.ts";

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
      id: t.arg.id({
        description: "The id of the only call whose updates are published. Default: all calls.",
        validate: idOf("GatewayCall"),
      }),
      statuses: t.arg({
        type: [GatewayCallStatus],
        description: "The statuses of the calls that are published. Default: all.",
      }),
      after: t.arg.string(AFTER),
    },
    subscribe: async (_root, { id: onlyId, statuses, after }, context) => {
      const accountId = requireScopedAccountId(context, "transactions:read");
      const { gatewayCall } = context.deps.db.prisma;
      if (onlyId) {
        await context.deps.gateway.calls.flush();
        if ((await gatewayCall.count({ where: { id: onlyId, accountId } })) === 0) {
          throw new NotFoundError("There is no such call.");
        }
      }
      const filter = {
        accountId,
        ...(onlyId ? { AND: { id: onlyId } } : {}),
        ...(statuses?.length ? { status: { in: statuses } } : {}),
      };
      return watchRows({
        changeColumn: "updatedAt",
        listen: () => context.deps.pubsub.subscribe(callChannel(accountId)),
        find: (id) => gatewayCall.findFirst({ where: { id, ...filter } }),
        findSince: ({ where, ...page }) => gatewayCall.findMany({ where: { ...filter, ...where }, ...page }),
        after,
      });
    },
    resolve: resolveWithScope("transactions:read"),
  }),
);
