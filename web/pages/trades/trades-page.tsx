import { useCallback, useState } from "react";
import { PageTitle } from "../../components/page-title.tsx";
import { type TradeRowFragment, TradeUpdatesDocument } from "../../generated/graphql.ts";
import { useResumed } from "../../graphql/use-resumed.ts";
import { TradeForm } from "./trade-form.tsx";
import { Trades } from "./trades.tsx";

/** Swapping tokens of the wallet, and what became of each swap as it happens. */
export default function TradesPage() {
  const [updates, setUpdates] = useState<ReadonlyMap<string, TradeRowFragment>>(new Map());
  const [version, setVersion] = useState(0);
  const take = useCallback((trade: TradeRowFragment) => {
    setUpdates((known) => new Map(known).set(trade.id, trade));
  }, []);
  useResumed(TradeUpdatesDocument, {
    onEvent({ tradeUpdated: { cursor, trade } }) {
      take(trade);
      return cursor;
    },
    onLost: () => setVersion((last) => last + 1),
  });
  return (
    <>
      <PageTitle>Trades</PageTitle>
      <p className="mt-1 max-w-[72ch] text-muted">
        Swaps one token of your wallet for another. What is sold counts against your limits at its value in US dollars.
      </p>
      <TradeForm />
      <Trades updates={updates} version={version} />
    </>
  );
}
