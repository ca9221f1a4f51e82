/** The data of events about trades. */
import type { EventToken, TradeEventData } from "../../src/events/event-data.ts";
import { parseDecimal } from "../../src/platform/money.ts";
import { type TokenAmount, TokenAmountType } from "../amounts.ts";
import { builder } from "../builder.ts";
import { requireScopedAccountId } from "../owner.ts";
import { TradeNode, TradeStatus } from "../trade/trades.ts";
import { toDate } from "./event-dates.ts";

function toTradeAmount(text: string, { symbol, address, decimals }: EventToken, network: string): TokenAmount {
  return { atomic: parseDecimal(text, decimals, "amount"), decimals, symbol, asset: address, network };
}

export const TradeEventDataType = builder.objectRef<TradeEventData>("TradeEventData").implement({
  description: "A trade when it ended.",
  fields: (t) => ({
    tradeId: t.exposeID("id", { description: "The trade's own id." }),
    tradeStatus: t.field({
      type: TradeStatus,
      description: "The final status.",
      resolve: ({ status }) => status as "settled",
    }),
    sold: t.field({
      type: TokenAmountType,
      description: "The sold amount.",
      resolve: ({ sellAmount, sellToken, network }) => toTradeAmount(sellAmount, sellToken, network),
    }),
    bought: t.field({
      type: TokenAmountType,
      nullable: true,
      description: "The bought amount. Null if no tokens arrived.",
      resolve: ({ buyAmount, buyToken, network }) =>
        buyAmount === null ? null : toTradeAmount(buyAmount, buyToken, network),
    }),
    minBought: t.field({
      type: TokenAmountType,
      description: "The minimum of the bought amount.",
      resolve: ({ minBuyAmount, buyToken, network }) => toTradeAmount(minBuyAmount, buyToken, network),
    }),
    failureReason: t.exposeString("failureReason", {
      nullable: true,
      description: "The reason for the failure. Null if the trade was settled.",
    }),
    createdAt: t.field({
      type: "DateTime",
      description: "Timestamp when the trade was requested.",
      resolve: ({ createdAt }) => toDate(createdAt),
    }),
    trade: t.prismaField({
      type: TradeNode,
      nullable: true,
      description: "The trade.",
      resolve: (query, { id }, _args, context) =>
        context.deps.db.prisma.trade.findUnique({
          ...query,
          where: { id, accountId: requireScopedAccountId(context, "transactions:read") },
        }),
    }),
  }),
});
