import { useCallback, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { PATHS } from "../../app/paths.ts";
import { buttonClass } from "../../components/button.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { OverviewDocument, type TransactionRowFragment } from "../../generated/graphql.ts";
import { useReading } from "../../graphql/use-reading.ts";
import { useTransactionUpdates } from "../../graphql/use-transaction-updates.ts";
import { ActionRequired } from "../orders/action-required.tsx";
import { Balances } from "./balances.tsx";
import { DeclinedPayments } from "./declined-payments.tsx";
import { Holdings } from "./holdings.tsx";
import { Limits } from "./limits.tsx";
import { Spending } from "./spending.tsx";
import { Transactions } from "./transactions.tsx";
import { X402Switch } from "./x402-switch.tsx";

/** Overview with live updates: balances, limits, spending and transactions. */
export default function OverviewPage() {
  // An unavailable network fails only in its own card.
  const overview = useReading({ query: OverviewDocument }, ({ viewer }) => viewer ?? undefined);
  const { shown: viewer, failure, again: refresh } = overview;
  const [updates, setUpdates] = useState<ReadonlyMap<string, TransactionRowFragment>>(new Map());
  const [version, setVersion] = useState(0);
  const again = useCallback(() => {
    refresh();
    setVersion((last) => last + 1);
  }, [refresh]);
  const networks = viewer?.wallet.balances.map(({ network }) => network) ?? [];
  const scheduleRefresh = useDebounced(again);
  useTransactionUpdates({
    onUpdate(transaction) {
      setUpdates((current) => new Map(current).set(transaction.id, transaction));
      scheduleRefresh();
    },
    onLost: scheduleRefresh,
  });
  return (
    <>
      <PageTitle
        aside={
          <Link href={PATHS.connect} className={buttonClass("primary")}>
            Connect an agent
          </Link>
        }
      >
        Overview
      </PageTitle>
      <FailureNotice failure={failure} onRetry={again} />
      <ActionRequired />
      {!failure && (
        <>
          <X402Switch isOn={viewer?.account.x402Enabled} />
          <Balances wallet={viewer?.wallet} />
          <Holdings networks={networks} version={version} />
          <Limits account={viewer?.account} onChanged={again} />
          <Spending version={version} />
          <Transactions updates={updates} networks={networks} />
          <DeclinedPayments version={version} />
        </>
      )}
    </>
  );
}

const REFRESH_DELAY_MS = 400;

/** Returns a debounced version of `call`. */
function useDebounced(call: () => void): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(call, REFRESH_DELAY_MS);
  }, [call]);
}
