import { useCallback, useState } from "react";
import { PageTitle } from "../../components/page-title.tsx";
import { type TradeRowFragment, TradeUpdatesDocument } from "../../generated/graphql.ts";
import { useResumableSubscription } from "../../graphql/use-resumable-subscription.ts";
import { TradeForm } from "./trade-form.tsx";
import { Trades } from "./trades.tsx";

/** Page to swap tokens of the wallet, with live trade statuses. */
export default function TradesPage() {
  const [updates, setUpdates] = useState<ReadonlyMap<string, TradeRowFragment>>(new Map());
  const [version, setVersion] = useState(0);
  const addUpdate = useCallback((trade: TradeRowFragment) => {
    setUpdates((current) => new Map(current).set(trade.id, trade));
  }, []);
  useResumableSubscription(TradeUpdatesDocument, {
    onEvent({ tradeUpdated: { cursor, trade } }) {
      addUpdate(trade);
      return cursor;
    },
    onLost: () => setVersion((last) => last + 1),
  });
  return (
    <>
      <PageTitle>Trades</PageTitle>
      <p className="mt-1 max-w-[72ch] text-muted">
        Swap one token in your wallet for another. Sold amounts count towards your limits at their value in US dollars.
      </p>
      <TradeForm />
      <Trades updates={updates} version={version} />
    </>
  );
}
