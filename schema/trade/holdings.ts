import { type Holding, listHoldings, valueHolding } from "../../src/trade/holdings.ts";
import { TRADE_NETWORK } from "../../src/trade/tokens.ts";
import { TokenAmountType } from "../amounts.ts";
import { builder } from "../builder.ts";
import { resolveConnection } from "../connection.ts";
import { arrayList, PAGES } from "../paging.ts";
import { BalanceType } from "../wallet/wallet.ts";
import { TradeTokenType, toTokenAmount } from "./trade-tokens.ts";

const HoldingType = builder.objectRef<Holding>("Holding").implement({
  description: "A token in the wallet.",
  fields: (t) => ({
    token: t.expose("token", { type: TradeTokenType, description: "The token." }),
    balance: t.field({
      type: TokenAmountType,
      description: "The balance, including amounts that outstanding trades sell.",
      resolve: ({ token, balanceAtomic }) => toTokenAmount(token, TRADE_NETWORK, balanceAtomic),
    }),
    valueUsd: t.field({
      type: "Usd",
      nullable: true,
      description: "The value at the exchange's price, at most a minute old. Null if the exchange has no price.",
      resolve: (holding, _args, { deps }) => valueHolding(deps, holding),
    }),
    isListed: t.exposeBoolean("isListed", {
      description:
        "Whether trades accept the token by symbol. If false, its contract chose symbol and name, which may imitate another token.",
    }),
  }),
});

builder.objectField(BalanceType, "holdings", (t) =>
  t.connection(
    {
      type: HoldingType,
      ...PAGES,
      description:
        "The tokens in the wallet on `base`, the network of trades: those that trades accept by symbol, and those that the account has traded. Other tokens, which anyone can send to a wallet, are not listed. Ordered by address. Empty on other networks.",
      resolve: async ({ network }, args, context, info) => {
        const holdings = network === TRADE_NETWORK ? await listHoldings(context.deps, context.viewer) : [];
        return await resolveConnection(args, context, info, arrayList(holdings));
      },
    },
    { name: "HoldingConnection", description: "A page of tokens in the wallet." },
    { name: "HoldingEdge", description: "An edge of a holding connection." },
  ),
);
