import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { Actions, Dialog } from "../../components/dialog.tsx";
import { formatExact, movePoint } from "../../components/exact.ts";
import { Fact, Facts } from "../../components/list.tsx";
import { Money } from "../../components/money.tsx";
import { Network } from "../../components/network.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { useToast } from "../../components/toasts.tsx";
import {
  MakeTradeDocument,
  type TradeFeeKind,
  type TradePreviewFragment,
  type TradeTokensQuery,
} from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { symbolText } from "./symbol-text.ts";
import type { TradeWish } from "./trade-wish.ts";

type Tokens = Extract<TradeTokensQuery["tradeTokens"], { __typename: "TradeTokensSuccess" }>["tokens"];

const FEES: Readonly<Record<TradeFeeKind, string>> = {
  exchange: "Exchange's fee, included",
  gas: "Exchange's gas, included",
  integrator: "This service's fee, included",
  network: "Network's fee, on top",
};

/** The price, and the decision: one press sells, another leaves. */
export function QuoteDialog({
  wish,
  quote,
  tokens,
  onClose,
}: {
  readonly wish: TradeWish;
  readonly quote: TradePreviewFragment;
  readonly tokens: Tokens;
  readonly onClose: () => void;
}) {
  const trade = useOperation(MakeTradeDocument);
  const toast = useToast();
  // One decision, one trade: pressing again after a lost answer finds the first.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const selling = symbolText(quote.sellToken);
  const buying = symbolText(quote.buyToken);

  async function sell() {
    const { value } = await trade.run({ input: { ...wish, idempotencyKey } });
    if (!value) return;
    const { status, sellAmount, buyAmount } = value.trade;
    toast(
      status === "settled"
        ? `Sold ${formatExact(sellAmount)} ${selling} for ${formatExact(buyAmount)} ${buying}.`
        : `The trade of ${formatExact(sellAmount)} ${selling} is on its way.`,
    );
    onClose();
  }

  return (
    <Dialog
      isOpen
      title={`Sell ${selling} for ${buying}`}
      description={`The price is asked for again when you sell; you get at least that, less ${quote.slippagePercentage} %.`}
      onClose={onClose}
      mayDismiss={!trade.isRunning}
    >
      <Facts>
        <Fact name="You sell">
          <Money amount={quote.sellAmount} currency={selling} size="lead" />
        </Fact>
        <Fact name="You get about">
          <Money
            amount={quote.buyAmount}
            currency={buying}
            size="lead"
            className="max-sm:whitespace-normal wrap-break-word"
          />
        </Fact>
        <Fact name="At this price, at least">
          <Money amount={quote.minBuyAmount} currency={buying} />
        </Fact>
        <Fact name={`One ${selling} brings`}>
          <Money amount={quote.price} currency={buying} />
        </Fact>
        {quote.fees.map((fee) => (
          <Fact key={`${fee.kind} ${fee.token}`} name={FEES[fee.kind]}>
            <Fee fee={fee} quote={quote} tokens={tokens} />
          </Fact>
        ))}
        <Fact name="On">
          <Network name={quote.network} />
        </Fact>
      </Facts>
      <div className="mt-4">
        <FailureNotice failure={trade.failure} />
      </div>
      <Actions>
        <Button onClick={onClose} disabled={trade.isRunning}>
          Cancel
        </Button>
        <Button look="primary" isBusy={trade.isRunning} onClick={() => void sell()}>
          Sell {formatExact(quote.sellAmount)} {selling}
        </Button>
      </Actions>
    </Dialog>
  );
}

/** In its own token; of one that nobody knows, the smallest units and the address. */
function Fee({
  fee: { token, amount, amountAtomic },
  quote: { sellToken, buyToken },
  tokens,
}: {
  readonly fee: TradePreviewFragment["fees"][number];
  readonly quote: TradePreviewFragment;
  readonly tokens: Tokens;
}) {
  const isIt = ({ address }: { readonly address: string }) => address.toLowerCase() === token.toLowerCase();
  const known = tokens.find(isIt);
  const currency = symbolText([sellToken, buyToken].find(isIt) ?? known ?? { symbol: `units of ${token}` });
  return <Money amount={amount ?? movePoint(amountAtomic, -(known?.decimals ?? 0))} currency={currency} />;
}
