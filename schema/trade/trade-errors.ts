import { DexUnavailableError, TradingNotConfiguredError } from "../../src/trade/dex.ts";
import { UnsupportedTokenError } from "../../src/trade/find-token.ts";
import { TradeFailedError } from "../../src/trade/trade-failure.ts";
import { ChainUnavailableError } from "../../src/wallet/chain.ts";
import { UnsupportedNetworkError } from "../../src/wallet/served-network.ts";
import { builder } from "../builder.ts";
import { BOUNDED_ERRORS, errorOf } from "../errors.ts";
import { SPENDING_ERRORS } from "../payments/payment-errors.ts";

builder.objectType(UnsupportedTokenError, {
  name: "UnsupportedTokenError",
  ...errorOf("The token is not known, is none, or nobody exchanges it. No money moved."),
  fields: (t) => ({ field: t.exposeString("field", { nullable: true, description: "The place in the input." }) }),
});

builder.objectType(TradeFailedError, {
  name: "TradeFailedError",
  ...errorOf("The swap was refused before it was signed, or failed on chain."),
  fields: (t) => ({
    txHash: t.exposeString("txHash", {
      nullable: true,
      description: "The hash of the failed swap; null when nothing reached the network.",
    }),
    tradeId: t.exposeString("tradeId", { nullable: true, description: "The trade's own id, where it was begun." }),
  }),
});

builder.objectType(TradingNotConfiguredError, {
  name: "TradingNotConfiguredError",
  ...errorOf("This installation has no exchange to trade with."),
});

builder.objectType(DexUnavailableError, {
  name: "DexUnavailableError",
  ...errorOf("The exchange does not answer right now. No money moved."),
});

const MARKET_ERRORS = [UnsupportedTokenError, TradingNotConfiguredError, DexUnavailableError];

/** What a preview may be refused with. */
export const QUOTE_ERRORS = [...BOUNDED_ERRORS, UnsupportedNetworkError, ChainUnavailableError, ...MARKET_ERRORS];

/** What a trade may be refused with. */
export const TRADE_ERRORS = [...SPENDING_ERRORS, ...MARKET_ERRORS, TradeFailedError];
