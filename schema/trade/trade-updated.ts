import type { Trade } from "../../generated/prisma/client.ts";
import { tradeChannel } from "../../src/trade/trade-events.ts";
import { builder } from "../builder.ts";
import { extractId, readGlobalId } from "../global-id.ts";
import { requireScopedAccountId } from "../owner.ts";
import { AFTER, CURSOR, describeResumption, RESUMABLE, type Update, watchRows } from "../resumable-updates.ts";
import { TradeNode } from "./trades.ts";

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
      id: t.arg.id({ description: "The global id of a trade; by default all trades." }),
      after: t.arg.string(AFTER),
    },
    subscribe: (_root, { id, after }, context) => {
      const accountId = requireScopedAccountId(context, "transactions:read");
      const only = id === undefined || id === null ? {} : { id: extractId("Trade", readGlobalId(id)) };
      const { trade } = context.deps.db.prisma;
      return watchRows({
        changeColumn: "updatedAt",
        listen: () => context.deps.pubsub.subscribe(tradeChannel(accountId)),
        find: (tradeId) => trade.findFirst({ where: { AND: [{ id: tradeId, accountId }, only] } }),
        findSince: ({ where, ...page }) => trade.findMany({ where: { accountId, AND: only, ...where }, ...page }),
        after,
      });
    },
    resolve: (update) => update,
  }),
);
