import type { Prisma } from "../../generated/prisma/client.ts";
import { formatDecimal } from "../../src/platform/money.ts";
import { findNetwork } from "../../src/wallet/networks.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { requireScopedAccountId } from "../owner.ts";
import { NEWEST_FIRST, PAGES, readPage } from "../paging.ts";
import { TransactionNode } from "../wallet/transactions.ts";
import { wireEnum } from "../wire-enum.ts";
import { TradeTokenType, tokenOfAsset } from "./trade-tokens.ts";

const TradeStatus = wireEnum("TradeStatus", "The status of a trade. Transitions go forward only.", {
  pending: "The sold amount is reserved and the swap is simulated. Nothing is signed.",
  approving: "Signed; the token allowance for the exchange is being set.",
  submitted: "The swap was sent to the network.",
  settled: "The swap succeeded on chain.",
  failed: "The swap was not executed, or returned less than its minimum; see `failureReason`.",
});

const atomic = (amount: Prisma.Decimal) => BigInt(amount.toFixed(0));

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
      resolve: ({ sellToken, sellSymbol, sellDecimals }) => tokenOfAsset(sellToken, sellSymbol, sellDecimals),
    }),
    buyToken: t.field({
      type: TradeTokenType,
      description: "The bought token.",
      resolve: ({ buyToken, buySymbol, buyDecimals }) => tokenOfAsset(buyToken, buySymbol, buyDecimals),
    }),
    sellAmount: t.string({
      description: "The sold amount as a decimal.",
      resolve: ({ sellAmountAtomic, sellDecimals }) => formatDecimal(atomic(sellAmountAtomic), sellDecimals),
    }),
    sellAmountAtomic: t.field({
      type: "AtomicAmount",
      description: "The sold amount in the token's smallest unit.",
      resolve: ({ sellAmountAtomic }) => atomic(sellAmountAtomic),
    }),
    buyAmount: t.string({
      description: "The received amount as a decimal, or the quoted amount until it is known.",
      resolve: ({ boughtAtomic, buyAmountAtomic, buyDecimals }) =>
        formatDecimal(atomic(boughtAtomic ?? buyAmountAtomic), buyDecimals),
    }),
    boughtAtomic: t.field({
      type: "AtomicAmount",
      nullable: true,
      description: "The received amount in the token's smallest unit, or null until it is known.",
      resolve: ({ boughtAtomic }) => (boughtAtomic === null ? null : atomic(boughtAtomic)),
    }),
    quotedAmount: t.string({
      description: "The quoted amount as a decimal.",
      resolve: ({ buyAmountAtomic, buyDecimals }) => formatDecimal(atomic(buyAmountAtomic), buyDecimals),
    }),
    minBuyAmount: t.string({
      description: "The minimum amount to receive, as a decimal.",
      resolve: ({ minBuyAtomic, buyDecimals }) => formatDecimal(atomic(minBuyAtomic), buyDecimals),
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
    status: t.field({ type: TradeStatus, description: "Filters by status." }),
    from: t.field({ type: "DateTime", description: "Includes trades requested at or after this time." }),
    to: t.field({ type: "DateTime", description: "Includes trades requested before this time." }),
  }),
});

builder.objectField(ViewerType, "trades", (t) =>
  t.prismaConnection(
    {
      type: TradeNode,
      ...PAGES,
      description: "The account's trades, newest first.",
      args: { filter: t.arg({ type: TradeFilter, description: "Filters for the trades; by default all." }) },
      resolve: (query, _viewer, { filter }, context) => {
        const accountId = requireScopedAccountId(context, "transactions:read");
        const { status, from, to } = filter ?? {};
        const createdAt = { ...(from ? { gte: from } : {}), ...(to ? { lt: to } : {}) };
        const where = { accountId, createdAt, ...(status ? { status } : {}) };
        return readPage(
          query,
          { accountId },
          (page) => context.deps.db.prisma.trade.findMany({ ...page, where, orderBy: NEWEST_FIRST }),
          (where) => context.deps.db.prisma.trade.count({ where }),
        );
      },
    },
    { name: "TradeConnection", description: "A page of trades." },
    { name: "TradeEdge", description: "An edge of a trade connection." },
  ),
);
