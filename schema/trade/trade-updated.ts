import type { Trade } from "../../generated/prisma/client.ts";
import { NotFoundError } from "../../src/platform/errors.ts";
import { tradeChannel } from "../../src/trade/trade-events.ts";
import { builder } from "../builder.ts";
import { selectedOf } from "../filters.ts";
import { idOf } from "../global-id.ts";
import { requireScopedAccountId, resolveWithScope } from "../owner.ts";
import { AFTER, CURSOR, describeResumption, RESUMABLE, type Update, watchRows } from "../resumable-updates.ts";
import { TradeNode, TradeStatus } from "./trades.ts";

const TradeUpdateType = builder.objectRef<Update<Trade>>("TradeUpdate").implement({
  description: "A trade that was created or changed.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", CURSOR),
    trade: t.expose("row", { type: TradeNode, description: "The current state of the trade." }),
  }),
});

builder.subscriptionField("tradeUpdated", (t) =>
  t.field({
    type: TradeUpdateType,
    ...RESUMABLE,
    description: `Changes of the account's trades, or of one trade, as they happen. ${describeResumption()}`,
    args: {
      id: t.arg.id({ description: "The id of the trade to publish. Default: all trades.", validate: idOf("Trade") }),
      statuses: t.arg({
        type: [TradeStatus],
        description: "The statuses to publish: other states of a trade are omitted. Default: all.",
      }),
      after: t.arg.string(AFTER),
    },
    subscribe: async (_root, { id, statuses, after }, context) => {
      const accountId = requireScopedAccountId(context, "transactions:read");
      const { trade } = context.deps.db.prisma;
      if (id && (await trade.count({ where: { id, accountId } })) === 0) {
        throw new NotFoundError("There is no such trade.");
      }
      const ofStatuses = selectedOf(statuses);
      const only = { ...(id ? { id } : {}), ...(ofStatuses ? { status: { in: [...ofStatuses] } } : {}) };
      return watchRows({
        changeColumn: "updatedAt",
        listen: () => context.deps.pubsub.subscribe(tradeChannel(accountId)),
        find: (tradeId) => trade.findFirst({ where: { AND: [{ id: tradeId, accountId }, only] } }),
        findSince: ({ where, ...page }) => trade.findMany({ where: { accountId, AND: only, ...where }, ...page }),
        after,
      });
    },
    resolve: resolveWithScope("transactions:read"),
  }),
);
