import { useState } from "react";
import { Link } from "wouter";
import { PATHS } from "../../app/paths.ts";
import { ListOf, usePagedList } from "../../components/paged-list.tsx";
import { Section } from "../../components/section.tsx";
import { type TransactionFilter, type TransactionRowFragment, TransactionsDocument } from "../../generated/graphql.ts";
import { mergeTransactionUpdates } from "../../graphql/merge-transaction-updates.ts";
import { TransactionFilters } from "./transaction-filters.tsx";
import { TransactionTable } from "./transaction-table.tsx";

/** Transactions of the account with live updates, newest first. */
export function Transactions({
  updates,
  networks,
}: {
  readonly updates: ReadonlyMap<string, TransactionRowFragment>;
  readonly networks: readonly string[];
}) {
  const [filter, setFilter] = useState<TransactionFilter>({});
  const list = usePagedList(TransactionsDocument, { filter }, ({ viewer }) => viewer?.transactions);
  const { pages } = list;
  const shown = list.shown && mergeTransactionUpdates(list.shown, updates, filter, pages.isFirst);
  const isFiltered = Object.values(filter).some(Boolean);
  function change(next: TransactionFilter) {
    pages.reset();
    setFilter(next);
  }
  return (
    <Section title="Transactions" hint="New transactions appear automatically.">
      <TransactionFilters filter={filter} networks={networks} onChange={change} />
      <ListOf
        list={{ ...list, shown }}
        awaited={{ count: 6, className: "h-16" }}
        empty={
          isFiltered ? (
            "No matching transactions."
          ) : (
            <>
              No transactions yet. Payments by your agents, tokens and apps appear here.{" "}
              <Link href={PATHS.connect} className="text-leather underline underline-offset-3">
                Connect an agent
              </Link>
            </>
          )
        }
      >
        {(rows) => <TransactionTable rows={rows} isStale={list.isStale} />}
      </ListOf>
    </Section>
  );
}
