import { useState } from "react";
import { useQuery } from "urql";
import { Empty, FailureNotice } from "../../components/notice.tsx";
import { Pager, usePages } from "../../components/pager.tsx";
import { Section } from "../../components/section.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { type TransactionFilter, type TransactionRowFragment, TransactionsDocument } from "../../generated/graphql.ts";
import { isSignedOut } from "../../graphql/client.ts";
import { withUpdates } from "../../graphql/live-transactions.ts";
import { transportFailure } from "../../graphql/use-operation.ts";
import { TransactionFilters } from "./transaction-filters.tsx";
import { TransactionTable } from "./transaction-table.tsx";

const PAGE_SIZE = 20;

/** The ledger, newest first, as it moves. */
export function Transactions({
  updates,
  networks,
}: {
  readonly updates: ReadonlyMap<string, TransactionRowFragment>;
  readonly networks: readonly string[];
}) {
  const [filter, setFilter] = useState<TransactionFilter>({});
  const pages = usePages();
  const [{ data, error, stale }, refresh] = useQuery({
    query: TransactionsDocument,
    variables: { filter, first: PAGE_SIZE, after: pages.after },
    requestPolicy: "cache-and-network",
  });
  const connection = data?.viewer?.transactions;
  const failure = error && !connection && !isSignedOut(error) ? transportFailure(error) : null;
  const rows = connection?.edges.map(({ node }) => node);
  const shown = rows && withUpdates(rows, updates, filter, pages.isFirst);
  const isFiltered = Object.values(filter).some(Boolean);
  function change(next: TransactionFilter) {
    pages.reset();
    setFilter(next);
  }
  return (
    <Section title="Transactions" hint="New ones appear by themselves.">
      <TransactionFilters filter={filter} networks={networks} onChange={change} />
      <FailureNotice failure={failure} onRetry={() => refresh({ requestPolicy: "network-only" })} />
      {!shown && !failure && <SkeletonRows count={6} className="h-16" />}
      {shown?.length === 0 && (
        <Empty>
          {isFiltered
            ? "No transaction is like that."
            : "Nothing was paid yet. The first payment of a token or an app appears here."}
        </Empty>
      )}
      {shown && shown.length > 0 && <TransactionTable rows={shown} isStale={stale} />}
      <Pager pages={pages} pageInfo={connection?.pageInfo} />
    </Section>
  );
}
