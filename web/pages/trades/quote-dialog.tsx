import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { formatExact, movePoint } from "../../components/decimal.ts";
import { Actions, Dialog } from "../../components/dialog.tsx";
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
import type { TradeOrder } from "./trade-order.ts";

type Tokens = Extract<TradeTokensQuery["tradeTokens"], { __typename: "TradeTokensSuccess" }>["tokens"];

const FEES: Readonly<Record<TradeFeeKind, string>> = {
  EXCHANGE: "Exchange fee, included",
  GAS: "Exchange gas, included",
  INTEGRATOR: "Satchel fee, included",
  NETWORK: "Network fee, not included",
};

/** Dialog with the quote of a trade, and buttons to execute the trade or to cancel. */
export function QuoteDialog({
  order,
  quote,
  tokens,
  onClose,
}: {
  readonly order: TradeOrder;
  readonly quote: TradePreviewFragment;
  readonly tokens: Tokens;
  readonly onClose: () => void;
}) {
  const trade = useOperation(MakeTradeDocument);
  const toast = useToast();
  // The key is constant per dialog, so that a retry after a lost response returns the existing trade.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const sellSymbol = symbolText(quote.sold);
  const buySymbol = symbolText(quote.quoted);

  async function executeTrade() {
    const { value } = await trade.run({ input: { ...order, idempotencyKey } });
    if (!value) return;
    const { status, sold, bought, quoted } = value.trade;
    const soldText = `${formatExact(sold.amount)} ${sellSymbol}`;
    toast(
      status === "SETTLED"
        ? `Sold ${soldText} for ${formatExact((bought ?? quoted).amount)} ${buySymbol}.`
        : `The trade of ${soldText} is pending.`,
    );
    onClose();
  }

  return (
    <Dialog
      isOpen
      title={`Sell ${sellSymbol} for ${buySymbol}`}
      description={`A new quote is fetched when you sell. You receive at least the new price minus ${quote.slippagePercentage} % slippage.`}
      onClose={onClose}
      mayDismiss={!trade.isRunning}
    >
      <Facts>
        <Fact name="You sell">
          <Money amount={quote.sold.amount} currency={sellSymbol} size="lead" />
        </Fact>
        <Fact name="You receive about">
          <Money
            amount={quote.quoted.amount}
            currency={buySymbol}
            size="lead"
            className="max-sm:whitespace-normal wrap-break-word"
          />
        </Fact>
        <Fact name="Minimum at this price">
          <Money amount={quote.minBought.amount} currency={buySymbol} />
        </Fact>
        <Fact name={`Price per ${sellSymbol}`}>
          <Money amount={quote.price} currency={buySymbol} />
        </Fact>
        {quote.fees.map((fee) => (
          <Fact key={`${fee.kind} ${fee.token}`} name={FEES[fee.kind]}>
            <Fee fee={fee} tokens={tokens} />
          </Fact>
        ))}
        <Fact name="Network">
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
        <Button look="primary" isBusy={trade.isRunning} onClick={() => void executeTrade()}>
          Sell {formatExact(quote.sold.amount)} {sellSymbol}
        </Button>
      </Actions>
    </Dialog>
  );
}

/** Amount of a fee in the fee's token. An unknown token is displayed as atomic units and its contract address. */
function Fee({
  fee: { token, amount, amountAtomic },
  tokens,
}: {
  readonly fee: TradePreviewFragment["fees"][number];
  readonly tokens: Tokens;
}) {
  if (amount) return <Money amount={amount.amount} currency={symbolText(amount)} />;
  const known = tokens.find(({ address }) => address.toLowerCase() === token.toLowerCase());
  const currency = symbolText(known ?? { symbol: `units of ${token}` });
  return <Money amount={movePoint(amountAtomic, -(known?.decimals ?? 0))} currency={currency} />;
}
