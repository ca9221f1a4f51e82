import type { Prisma, Trade } from "../../generated/prisma/client.ts";
import { TRADE_NETWORK } from "../../src/trade/tokens.ts";
import { findNetwork } from "../../src/wallet/networks.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { TokenAmountType } from "../amounts.ts";
import { builder } from "../builder.ts";
import { lookUpById } from "../by-id.ts";
import { createConnectionReader } from "../child-pages.ts";
import { resolveConnection } from "../connection.ts";
import { selectedOf } from "../filters.ts";
import { orderedBy, orderType } from "../list-order.ts";
import { requireScopedAccountId } from "../owner.ts";
import { UPDATES_CURSOR } from "../resumable-updates.ts";
import { toAtomic, toUsdcAmount } from "../wallet/token-amounts.ts";
import { TransactionNode } from "../wallet/transactions.ts";
import { wireEnum } from "../wire-enum.ts";
import { TradeTokenType, tokenOfAsset, toTokenAmount } from "./trade-tokens.ts";

export const TradeStatus = wireEnum("TradeStatus", "The status of a trade. Transitions go forward only.", {
  pending: "The sold amount is reserved and the swap is simulated. Nothing is signed.",
  approving: "Signed; the token allowance for the exchange is being set.",
  submitted: "The swap was sent to the network.",
  settled: "The swap succeeded on chain.",
  failed: "The swap was not executed, or returned less than its minimum; see `failureReason`.",
});

const soldToken = ({ sellToken, sellSymbol, sellDecimals }: Trade) => tokenOfAsset(sellToken, sellSymbol, sellDecimals);
const boughtToken = ({ buyToken, buySymbol, buyDecimals }: Trade) => tokenOfAsset(buyToken, buySymbol, buyDecimals);

/** Selection of a trade's swap step, loaded once for all fields of the row. */
const SWAP = { steps: { where: { purpose: "swap" } } } as const;

export const TradeNode = builder.prismaNode("Trade", {
  id: { field: "id", description: "The global id of the trade." },
  findUnique: (id, context) => ({ id, accountId: requireScopedAccountId(context, "transactions:read") }),
  nullable: true,
  description: "A swap of tokens on one network.",
  fields: (t) => ({
    tradeId: t.exposeID("id", { description: "The id of the trade in the REST API." }),
    status: t.field({
      type: TradeStatus,
      description: "The status of the trade.",
      resolve: ({ status }) => status as "settled",
    }),
    network: t.expose("network", { type: "NetworkName", description: "The network of the trade." }),
    sellToken: t.field({
      type: TradeTokenType,
      description: "The sold token.",
      resolve: soldToken,
    }),
    buyToken: t.field({
      type: TradeTokenType,
      description: "The bought token.",
      resolve: boughtToken,
    }),
    sold: t.field({
      type: TokenAmountType,
      description:
        "The sold amount, which is less than `requested` after a partial fill, or if a stated amount was bought for less. Until the swap is mined, and if it was not executed, the requested amount.",
      resolve: (trade) =>
        toTokenAmount(soldToken(trade), trade.network, toAtomic(trade.soldAtomic ?? trade.sellAmountAtomic)),
    }),
    requested: t.field({
      type: TokenAmountType,
      description: "The amount of the sold token that the trade reserved.",
      resolve: (trade) => toTokenAmount(soldToken(trade), trade.network, toAtomic(trade.sellAmountAtomic)),
    }),
    bought: t.field({
      type: TokenAmountType,
      nullable: true,
      description: "The received amount. Null until it is known, and if the swap was not executed.",
      resolve: (trade) =>
        trade.boughtAtomic && toTokenAmount(boughtToken(trade), trade.network, toAtomic(trade.boughtAtomic)),
    }),
    quoted: t.field({
      type: TokenAmountType,
      description: "The quoted amount of the bought token.",
      resolve: (trade) => toTokenAmount(boughtToken(trade), trade.network, toAtomic(trade.buyAmountAtomic)),
    }),
    minBought: t.field({
      type: TokenAmountType,
      description:
        "The minimum amount to receive: the stated amount, or the quoted amount less the slippage tolerance.",
      resolve: (trade) => toTokenAmount(boughtToken(trade), trade.network, toAtomic(trade.minBuyAtomic)),
    }),
    networkFeeCharge: t.field({
      type: TokenAmountType,
      nullable: true,
      select: { gas: { where: { status: "mined" } } },
      description:
        "The USDC that the wallet paid for the native coin of the network fee, or null if it had enough of its own. What the trade did not use remains in the wallet.",
      resolve: ({ gas }) =>
        gas.length === 0
          ? null
          : toUsdcAmount(
              TRADE_NETWORK,
              gas.reduce((sum, { priceAtomic }) => sum + toAtomic(priceAtomic), 0n),
            ),
    }),
    slippagePercentage: t.float({
      description: "The slippage tolerance in percent of the quoted amount.",
      resolve: ({ slippageBps }) => slippageBps / 100,
    }),
    failureReason: t.exposeString("failureReason", {
      nullable: true,
      description: "The reason why the trade failed, or null.",
    }),
    txHash: t.string({
      nullable: true,
      select: SWAP,
      description:
        "The transaction hash of the swap, or null until it is signed. It may change until the swap is mined.",
      resolve: ({ steps }) => steps[0]?.txHash,
    }),
    explorerUrl: t.field({
      type: "Url",
      nullable: true,
      select: SWAP,
      description: "The URL of the swap in a block explorer, or null on networks without one.",
      resolve: ({ network, steps }, _args, { deps }) => {
        const txHash = steps[0]?.txHash;
        if (!txHash || deps.settings.unexploredNetworks.includes(network)) return null;
        return findNetwork(network)?.explorerTxUrl(txHash);
      },
    }),
    transaction: t.prismaField({
      type: TransactionNode,
      description: "The transaction of the sold amount in the ledger.",
      resolve: (query, { transactionId }, _args, { deps }) =>
        deps.db.prisma.transaction.findUniqueOrThrow({ ...query, where: { id: transactionId } }),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp when the trade was requested." }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "Timestamp of the last change." }),
  }),
});

const TradeFilter = builder.inputType("TradeFilter", {
  description: "Filters for trades. Filters are combined with AND.",
  fields: (t) => ({
    statuses: t.field({ type: [TradeStatus], description: "The statuses of the trades. Default: all." }),
    createdAfter: t.field({ type: "DateTime", description: "Only trades requested at or after this time." }),
    createdBefore: t.field({ type: "DateTime", description: "Only trades requested before this time." }),
  }),
});

const tradesOf = createConnectionReader(
  {
    ...{ table: "trades", parentColumn: "account_id", parentType: "uuid", timeColumn: "created_at" },
    order: "newest first",
    facets: { status: "child.status" },
  },
  ({ deps }, selection: Prisma.TradeDefaultArgs, ids) =>
    deps.db.prisma.trade.findMany({ ...selection, where: { id: { in: ids } } }),
  ({ deps }, id, accountId) => deps.db.prisma.trade.count({ where: { id, accountId } }),
);

const BY_TIME = orderedBy(
  orderType("TradeOrder", "trades", "CREATED_AT", "The time when the trade was requested."),
  "DESC",
);

builder.objectField(ViewerType, "trades", (t) =>
  t.connection(
    {
      type: TradeNode,
      ...BY_TIME.pages,
      description: "The account's trades, newest first.",
      args: {
        filter: t.arg({ type: TradeFilter, description: "Filters for the trades; by default all." }),
        orderBy: t.arg(BY_TIME.argument),
      },
      resolve: (_viewer, args, context, info) => {
        const accountId = requireScopedAccountId(context, "transactions:read");
        const { statuses, createdAfter, createdBefore } = args.filter ?? {};
        const filter = { facets: { status: selectedOf(statuses) }, from: createdAfter, to: createdBefore };
        return resolveConnection(args, context, info, tradesOf(context, accountId, filter, BY_TIME.orderOf(args)));
      },
    },
    {
      name: "TradeConnection",
      description: "A page of trades.",
      fields: (t) => ({ updatesCursor: t.string(UPDATES_CURSOR) }),
    },
    { name: "TradeEdge", description: "An edge of a trade connection." },
  ),
);

lookUpById("trade", "Trade", TradeNode, "the trade");
