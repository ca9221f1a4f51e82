import type { Trade } from "../../generated/prisma/client.ts";
import { InvalidRequestError } from "../../src/platform/errors.ts";
import { tradeChannel } from "../../src/trade/trade-events.ts";
import { builder } from "../builder.ts";
import { readGlobalId } from "../global-id.ts";
import { ownAccountIdWithin } from "../owner.ts";
import { type Update, watchRows } from "../resumable-updates.ts";
import { TradeNode } from "./trades.ts";

const TradeUpdateType = builder.objectRef<Update<Trade>>("TradeUpdate").implement({
  description: "A trade that is new or has moved.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", { description: "Pass it as `after` to go on from here after a lost connection." }),
    trade: t.expose("row", { type: TradeNode, description: "The trade as it now stands." }),
  }),
});

builder.subscriptionField("tradeUpdated", (t) =>
  t.field({
    type: TradeUpdateType,
    complexity: 5,
    // Only those that start with what comes next may share one source: one that resumes sees other events first.
    extensions: { shared: (args: { after?: string | null }) => args.after === undefined || args.after === null },
    description:
      "Every move of the account's trades, or of one of them, as it happens. With `after`, first what moved since that event, and perhaps again what moved just before it. A client too slow for the events is ended with an error and may resume.",
    args: {
      id: t.arg.id({ description: "The global id of one trade; default: all." }),
      after: t.arg.string({ description: "The cursor of the last event seen; default: from now on." }),
    },
    subscribe: (_root, { id, after }, context) => {
      const accountId = ownAccountIdWithin(context, "transactions:read");
      const only = id === undefined || id === null ? {} : { id: tradeIdOf(id) };
      const { trade } = context.deps.db.prisma;
      return watchRows<Trade>({
        listen: () => context.deps.pubsub.subscribe(tradeChannel(accountId)),
        find: (tradeId) => trade.findFirst({ where: { AND: [{ id: tradeId, accountId }, only] } }),
        findSince: ({ updatedAt, id: seenId }, take) =>
          trade.findMany({
            where: { accountId, AND: only, OR: [{ updatedAt: { gt: updatedAt } }, { updatedAt, id: { gt: seenId } }] },
            orderBy: [{ updatedAt: "asc" }, { id: "asc" }],
            take,
          }),
        after: after ?? null,
      });
    },
    resolve: (update) => update,
  }),
);

function tradeIdOf(globalId: string): string {
  const { typename, id } = readGlobalId(globalId);
  if (typename !== "Trade") throw new InvalidRequestError("id is no trade's global id.", "id");
  return id;
}
