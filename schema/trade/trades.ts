import type { Prisma } from "../../generated/prisma/client.ts";
import { formatDecimal } from "../../src/platform/money.ts";
import { findNetwork } from "../../src/wallet/networks.ts";
import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { ownAccountIdWithin } from "../owner.ts";
import { NEWEST_FIRST, PAGES, readPage } from "../paging.ts";
import { TransactionNode } from "../wallet/transactions.ts";
import { TradeTokenType, tokenOfAsset } from "./trade-tokens.ts";

const TradeStatus = builder.enumType("TradeStatus", {
  description: "How far a trade is. It moves forward only.",
  values: {
    pending: { description: "Reserved, and being tried; nothing is signed." },
    approving: { description: "Signed: the sold amount is being allowed to the exchange." },
    submitted: { description: "The swap was handed to the network." },
    settled: { description: "The network has carried it out." },
    failed: { description: "It was not carried out, or brought less than its minimum; `failureReason` says which." },
  },
});

const atomic = (amount: Prisma.Decimal) => BigInt(amount.toFixed(0));

/** A trade's swap, loaded once for all fields of its row. */
const SWAP = { steps: { where: { purpose: "swap" } } } as const;

export const TradeNode = builder.prismaNode("Trade", {
  id: { field: "id", description: "The trade's global id." },
  findUnique: (id, context) => ({ id, accountId: ownAccountIdWithin(context, "transactions:read") }),
  nullable: true,
  description: "A swap of tokens on one network.",
  fields: (t) => ({
    tradeId: t.exposeID("id", { description: "The trade's own id, as REST shows it." }),
    status: t.field({ type: TradeStatus, description: "How far it is.", resolve: ({ status }) => status as "settled" }),
    network: t.expose("network", { type: "NetworkName", description: "The network." }),
    sellToken: t.field({
      type: TradeTokenType,
      description: "What is sold.",
      resolve: ({ sellToken, sellSymbol, sellDecimals }) => tokenOfAsset(sellToken, sellSymbol, sellDecimals),
    }),
    buyToken: t.field({
      type: TradeTokenType,
      description: "What is bought.",
      resolve: ({ buyToken, buySymbol, buyDecimals }) => tokenOfAsset(buyToken, buySymbol, buyDecimals),
    }),
    sellAmount: t.string({
      description: "How much is sold, as a decimal.",
      resolve: ({ sellAmountAtomic, sellDecimals }) => formatDecimal(atomic(sellAmountAtomic), sellDecimals),
    }),
    sellAmountAtomic: t.field({
      type: "AtomicAmount",
      description: "The same in the smallest unit.",
      resolve: ({ sellAmountAtomic }) => atomic(sellAmountAtomic),
    }),
    buyAmount: t.string({
      description: "What arrived, or until that is known what was quoted; a decimal.",
      resolve: ({ boughtAtomic, buyAmountAtomic, buyDecimals }) =>
        formatDecimal(atomic(boughtAtomic ?? buyAmountAtomic), buyDecimals),
    }),
    boughtAtomic: t.field({
      type: "AtomicAmount",
      nullable: true,
      description: "What arrived, in the smallest unit; null until it did.",
      resolve: ({ boughtAtomic }) => (boughtAtomic === null ? null : atomic(boughtAtomic)),
    }),
    quotedAmount: t.string({
      description: "What was quoted, as a decimal.",
      resolve: ({ buyAmountAtomic, buyDecimals }) => formatDecimal(atomic(buyAmountAtomic), buyDecimals),
    }),
    minBuyAmount: t.string({
      description: "The least that is accepted, as a decimal.",
      resolve: ({ minBuyAtomic, buyDecimals }) => formatDecimal(atomic(minBuyAtomic), buyDecimals),
    }),
    slippagePercentage: t.float({
      description: "How far below the quote the price may move.",
      resolve: ({ slippageBps }) => slippageBps / 100,
    }),
    failureReason: t.exposeString("failureReason", { nullable: true, description: "Why it failed." }),
    txHash: t.string({
      nullable: true,
      select: SWAP,
      description: "The hash of the swap; null until it is signed. It may change while the network has not taken it.",
      resolve: ({ steps }) => steps[0]?.txHash,
    }),
    explorerUrl: t.field({
      type: "Url",
      nullable: true,
      select: SWAP,
      description: "Where a person can look at the swap; null on networks without an explorer.",
      resolve: ({ network, steps }, _args, { deps }) => {
        const txHash = steps[0]?.txHash;
        if (!txHash || deps.settings.unexploredNetworks.includes(network)) return null;
        return findNetwork(network)?.explorerTxUrl(txHash);
      },
    }),
    transaction: t.prismaField({
      type: TransactionNode,
      description: "The sale in the ledger.",
      resolve: (query, { transactionId }, _args, { deps }) =>
        deps.db.prisma.transaction.findUniqueOrThrow({ ...query, where: { id: transactionId } }),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was asked for." }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "When it last moved." }),
  }),
});

const TradeFilter = builder.inputType("TradeFilter", {
  description: "Which trades; all that is given must hold.",
  fields: (t) => ({
    status: t.field({ type: TradeStatus, description: "How far they are." }),
    from: t.field({ type: "DateTime", description: "Asked for at this time or later." }),
    to: t.field({ type: "DateTime", description: "Asked for before this time." }),
  }),
});

builder.objectField(ViewerType, "trades", (t) =>
  t.prismaConnection(
    {
      type: TradeNode,
      ...PAGES,
      description: "The account's trades, newest first.",
      args: { filter: t.arg({ type: TradeFilter, description: "Which of them; default all." }) },
      resolve: (query, _viewer, { filter }, context) => {
        const accountId = ownAccountIdWithin(context, "transactions:read");
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
    { name: "TradeEdge", description: "A trade in a list." },
  ),
);
