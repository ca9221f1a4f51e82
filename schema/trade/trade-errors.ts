import { DexUnavailableError, TradingNotConfiguredError } from "../../src/trade/dex.ts";
import { UnsupportedTokenError } from "../../src/trade/find-token.ts";
import { TradeFailedError } from "../../src/trade/trade-failure.ts";
import { ChainUnavailableError } from "../../src/wallet/chain.ts";
import { InsufficientBalanceError } from "../../src/wallet/refusal-reason.ts";
import { UnsupportedNetworkError } from "../../src/wallet/served-network.ts";
import { builder } from "../builder.ts";
import { BOUNDED_ERRORS, createErrorOptions } from "../errors.ts";
import { SPENDING_ERRORS } from "../payments/payment-errors.ts";
import { TradeNode } from "./trades.ts";

builder.objectType(UnsupportedTokenError, {
  name: "UnsupportedTokenError",
  ...createErrorOptions("The token is unknown, is not an ERC-20 token, or has no liquidity. No payment was made."),
  fields: (t) => ({
    field: t.exposeString("field", { nullable: true, description: "The path of the token in the input." }),
  }),
});

builder.objectType(TradeFailedError, {
  name: "TradeFailedError",
  ...createErrorOptions("The swap was refused before it was signed, or failed on chain."),
  fields: (t) => ({
    txHash: t.exposeString("txHash", {
      nullable: true,
      description: "The transaction hash of the failed swap, or null if nothing was sent to the network.",
    }),
    failedTrade: t.prismaField({
      type: TradeNode,
      nullable: true,
      description: "The trade, or null if none was created.",
      resolve: (query, { tradeId: id }, _args, { deps }) =>
        id === null ? null : deps.db.prisma.trade.findUnique({ ...query, where: { id } }),
    }),
  }),
});

builder.objectType(TradingNotConfiguredError, {
  name: "TradingNotConfiguredError",
  ...createErrorOptions("The service has no exchange configured."),
});

builder.objectType(DexUnavailableError, {
  name: "DexUnavailableError",
  ...createErrorOptions("The exchange does not respond. No payment was made."),
});

const MARKET_ERRORS = [UnsupportedTokenError, TradingNotConfiguredError, DexUnavailableError];

/** Errors of a quote. */
export const QUOTE_ERRORS = [
  ...BOUNDED_ERRORS,
  UnsupportedNetworkError,
  ChainUnavailableError,
  ...MARKET_ERRORS,
  InsufficientBalanceError,
];

/** Errors of a trade. */
export const TRADE_ERRORS = [...SPENDING_ERRORS, ...MARKET_ERRORS, TradeFailedError];
