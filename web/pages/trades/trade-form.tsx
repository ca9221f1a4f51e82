import { type FormEvent, useId, useState } from "react";
import { useClient, useQuery } from "urql";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { Section } from "../../components/section.tsx";
import { type TradePreviewFragment, TradeQuoteDocument, TradeTokensDocument } from "../../generated/graphql.ts";
import { type Failure, failureAt, matchResult } from "../../graphql/match-result.ts";
import { transportFailure } from "../../graphql/use-operation.ts";
import { QuoteDialog } from "./quote-dialog.tsx";
import { readTradeOrder, type TradeOrder } from "./trade-order.ts";

interface QuotedOrder {
  readonly order: TradeOrder;
  readonly quote: TradePreviewFragment;
}

/** Form to request a quote. A trade is executed only from the quote dialog. */
export function TradeForm() {
  const client = useClient();
  const [{ data }] = useQuery({ query: TradeTokensDocument });
  const listId = useId();
  const [isLoadingQuote, setIsLoadingQuote] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [quoted, setQuoted] = useState<QuotedOrder | null>(null);
  const tokens = data?.tradeTokens?.__typename === "TradeTokensSuccess" ? data.tradeTokens.tokens : [];

  async function requestQuote(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const order = readTradeOrder(new FormData(event.currentTarget));
    setIsLoadingQuote(true);
    setFailure(null);
    const { data: response, error } = await client
      .query(TradeQuoteDocument, order, { requestPolicy: "network-only" })
      .toPromise();
    setIsLoadingQuote(false);
    if (!response?.tradeQuote) return setFailure(transportFailure(error));
    const outcome = matchResult(response.tradeQuote);
    if (outcome.ok) setQuoted({ order, quote: outcome.value });
    else setFailure(outcome.error);
  }

  const atField = ["sellToken", "buyToken", "sellAmount", "slippagePercentage"].some((field) =>
    failureAt(failure, field),
  );
  return (
    <Section
      title="Trade"
      hint="Enter a symbol such as USDC, or the address of a token contract. You see the quote before you sell."
    >
      <form onSubmit={(event) => void requestQuote(event)}>
        <datalist id={listId}>
          {tokens.map(({ symbol, name }) => (
            <option key={symbol} value={symbol}>
              {name}
            </option>
          ))}
        </datalist>
        <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-4">
          <TextField
            label="Sell"
            name="sellToken"
            required
            list={listId}
            autoComplete="off"
            spellCheck={false}
            error={failureAt(failure, "sellToken")}
          />
          <TextField
            label="Amount"
            name="sellAmount"
            required
            inputMode="decimal"
            autoComplete="off"
            pattern="[0-9]+(\.[0-9]+)?"
            title="An amount such as 5 or 0.25"
            className="figures"
            error={failureAt(failure, "sellAmount")}
          />
          <TextField
            label="Buy"
            name="buyToken"
            required
            list={listId}
            autoComplete="off"
            spellCheck={false}
            error={failureAt(failure, "buyToken")}
          />
          <TextField
            label="Maximum slippage"
            name="slippagePercentage"
            required
            defaultValue="1"
            inputMode="decimal"
            autoComplete="off"
            pattern="[0-9]{1,2}(\.[0-9]{1,2})?"
            title="A percentage such as 1 or 0.5, up to 50"
            unit="%"
            className="figures"
            error={failureAt(failure, "slippagePercentage")}
          />
        </div>
        <Button type="submit" className="mt-4 max-sm:w-full" isBusy={isLoadingQuote}>
          Get quote
        </Button>
      </form>
      <div className="mt-4">
        <FailureNotice failure={atField ? null : failure} />
      </div>
      {quoted && <QuoteDialog {...quoted} tokens={tokens} onClose={() => setQuoted(null)} />}
    </Section>
  );
}
