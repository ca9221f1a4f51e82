import { useState } from "react";
import { FilterChoice } from "../../components/filter-choice.tsx";
import { ListOf, usePagedList } from "../../components/paged-list.tsx";
import { Section } from "../../components/section.tsx";
import { type TradeRowFragment, type TradeStatus, TradesDocument } from "../../generated/graphql.ts";
import { mergeUpdates } from "../../graphql/merge-updates.ts";
import { STATUSES, TradeTable } from "./trade-table.tsx";

const OPTIONS = Object.entries(STATUSES).map(([status, { text }]) => [status, text] as const);

/** Trades of the account with live updates, newest first. */
export function Trades({
  updates,
  version,
}: {
  readonly updates: ReadonlyMap<string, TradeRowFragment>;
  /** Increases when the list must be refreshed. */
  readonly version: number;
}) {
  const [status, setStatus] = useState<TradeStatus | null>(null);
  const list = usePagedList(
    TradesDocument,
    { filter: { statuses: status && [status] } },
    ({ viewer }) => viewer?.trades,
    { version },
  );
  const { pages } = list;
  const passes = (row: TradeRowFragment) => !status || row.status === status;
  const shown = list.shown && mergeUpdates(list.shown, updates, passes, pages.isFirst);
  function choose(value: string) {
    pages.reset();
    setStatus((value || null) as TradeStatus | null);
  }
  return (
    <Section title="Trade history" hint="New trades appear automatically.">
      <div className="mb-4 sm:max-w-64">
        <FilterChoice label="Status" all="All" options={OPTIONS} value={status} onChoose={choose} />
      </div>
      <ListOf
        list={{ ...list, shown }}
        awaited={{ count: 3, className: "h-16" }}
        empty={status ? "No matching trades." : "No trades yet. Trades by you and your programs appear here."}
      >
        {(rows) => <TradeTable rows={rows} isStale={list.isStale} />}
      </ListOf>
    </Section>
  );
}
