import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { formatExact, movePoint } from "../../components/decimal.ts";
import { Actions, Dialog } from "../../components/dialog.tsx";
import { Fact, Facts } from "../../components/list.tsx";
import { Money } from "../../components/money.tsx";
import { Network } from "../../components/network.tsx";
import { FailureNotice, Notice } from "../../components/notice.tsx";
import { useToast } from "../../components/toasts.tsx";
import {
  MakeTradeDocument,
  type TradeFeeKind,
  type TradePreviewFragment,
  type TradeQuoteWarning,
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

const WARNINGS: Readonly<Record<TradeQuoteWarning, string>> = {
  HIGH_PRICE_IMPACT: "The price is far worse than for a small amount. Sell less at a time.",
  TOKEN_TAX: "A token deducts a tax from each transfer.",
  UNLISTED_TOKEN: "Anyone can give a token this name. Compare the contract address with the issuer's.",
  INSUFFICIENT_BALANCE: "Your wallet has less than this amount.",
  NOT_SIMULATED: "The exchange could not simulate this trade, so it can fail.",
  NETWORK_FEE_IN_USDC: "Your wallet has too little ETH, so the network fee is paid in USDC.",
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

  const taxes = (
    [
      [`Tax on ${sellSymbol}`, quote.sellTaxPercentage],
      [`Tax on ${buySymbol}`, quote.buyTaxPercentage],
    ] as const
  ).filter(([, percentage]) => percentage);

  async function executeTrade() {
    const { value } = await trade.run({ input: { ...order, minBuyAmount: quote.minBought.amount, idempotencyKey } });
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
      description={"A new quote is fetched when you sell. If it does not guarantee the minimum below, nothing is sold."}
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
        <Fact name="You receive at least">
          <Money amount={quote.minBought.amount} currency={buySymbol} />
        </Fact>
        <Fact name={`Price per ${sellSymbol}`}>
          <Money amount={quote.price} currency={buySymbol} />
        </Fact>
        {typeof quote.priceImpactPercentage === "number" && (
          <Fact name="Price impact">{quote.priceImpactPercentage} %</Fact>
        )}
        {taxes.map(([name, percentage]) => (
          <Fact key={name} name={name}>
            {percentage} %
          </Fact>
        ))}
        {quote.fees.map((fee) => (
          <Fact key={`${fee.kind} ${fee.token}`} name={FEES[fee.kind]}>
            <Fee fee={fee} tokens={tokens} />
          </Fact>
        ))}
        <Fact name="Network">
          <Network name={quote.network} />
        </Fact>
      </Facts>
      {quote.warnings.length > 0 && (
        <Notice tone="caution">
          <ul>
            {quote.warnings.map((warning) => (
              <li key={warning}>{WARNINGS[warning]}</li>
            ))}
          </ul>
        </Notice>
      )}
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
