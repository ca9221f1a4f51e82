import { useCallback, useEffect, useRef, useState } from "react";
import { FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { OverviewDocument, type TransactionRowFragment } from "../../generated/graphql.ts";
import { useReading } from "../../graphql/use-reading.ts";
import { useTransactionUpdates } from "../../graphql/use-transaction-updates.ts";
import { Waiting } from "../orders/waiting.tsx";
import { Balances } from "./balances.tsx";
import { Limits } from "./limits.tsx";
import { Spending } from "./spending.tsx";
import { Transactions } from "./transactions.tsx";
import { X402Switch } from "./x402-switch.tsx";

/** What there is, what may be spent, and what was: as it changes. */
export default function OverviewPage() {
  // A network whose nodes are away fails in its own place; the rest stands.
  const overview = useReading({ query: OverviewDocument }, ({ viewer }) => viewer ?? undefined);
  const { shown: viewer, failure, again: refresh } = overview;
  const [updates, setUpdates] = useState<ReadonlyMap<string, TransactionRowFragment>>(new Map());
  const [version, setVersion] = useState(0);
  const again = useCallback(() => {
    refresh();
    setVersion((last) => last + 1);
  }, [refresh]);
  const refreshSoon = useSoon(again);
  useTransactionUpdates({
    onUpdate(transaction) {
      setUpdates((known) => new Map(known).set(transaction.id, transaction));
      refreshSoon();
    },
    onLost: refreshSoon,
  });
  return (
    <>
      <PageTitle>Overview</PageTitle>
      <FailureNotice failure={failure} onRetry={again} />
      <Waiting />
      {!failure && (
        <>
          <X402Switch isOn={viewer?.account.x402Enabled} />
          <Balances wallet={viewer?.wallet} />
          <Limits account={viewer?.account} onChanged={again} />
          <Spending version={version} />
          <Transactions updates={updates} networks={viewer?.wallet.balances.map(({ network }) => network) ?? []} />
        </>
      )}
    </>
  );
}

const SOON_MS = 400;

/** Calls once for many wishes that come together. */
function useSoon(call: () => void): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(call, SOON_MS);
  }, [call]);
}
