import { useEffect, useState } from "react";
import { useQuery } from "urql";
import { FilterChoice } from "../../components/filter-choice.tsx";
import { Empty, FailureNotice } from "../../components/notice.tsx";
import { Pager, usePages } from "../../components/pager.tsx";
import { Section } from "../../components/section.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { type TradeRowFragment, type TradeStatus, TradesDocument } from "../../generated/graphql.ts";
import { isSignedOut } from "../../graphql/client.ts";
import { withMoved } from "../../graphql/live-rows.ts";
import { transportFailure } from "../../graphql/use-operation.ts";
import { STATUSES, TradeTable } from "./trade-table.tsx";

const PAGE_SIZE = 20;
const OPTIONS = Object.entries(STATUSES).map(([status, { text }]) => [status, text] as const);

/** The account's trades, newest first, as they move. */
export function Trades({
  updates,
  version,
}: {
  readonly updates: ReadonlyMap<string, TradeRowFragment>;
  /** Changes whenever they have to be asked for again. */
  readonly version: number;
}) {
  const [status, setStatus] = useState<TradeStatus | null>(null);
  const pages = usePages();
  const [{ data, error, stale }, refresh] = useQuery({
    query: TradesDocument,
    variables: { filter: { status }, first: PAGE_SIZE, after: pages.after },
    requestPolicy: "cache-and-network",
  });
  useEffect(() => {
    if (version > 0) refresh({ requestPolicy: "network-only" });
  }, [version, refresh]);
  const connection = data?.viewer?.trades;
  const failure = error && !connection && !isSignedOut(error) ? transportFailure(error) : null;
  const rows = connection?.edges.map(({ node }) => node);
  const shown = rows && withMoved(rows, updates, (row) => !status || row.status === status, pages.isFirst);
  function choose(value: string) {
    pages.reset();
    setStatus((value || null) as TradeStatus | null);
  }
  return (
    <Section title="Your trades" hint="New ones appear by themselves.">
      <div className="mb-4 sm:max-w-64">
        <FilterChoice label="Status" all="Any status" options={OPTIONS} value={status} onChoose={choose} />
      </div>
      <FailureNotice failure={failure} onRetry={() => refresh({ requestPolicy: "network-only" })} />
      {!shown && !failure && <SkeletonRows count={3} className="h-16" />}
      {shown?.length === 0 && (
        <Empty>
          {status
            ? "No trade is like that."
            : "Nothing was traded yet. The first trade of yours or of a program appears here."}
        </Empty>
      )}
      {shown && shown.length > 0 && <TradeTable rows={shown} isStale={stale} />}
      <Pager pages={pages} pageInfo={connection?.pageInfo} />
    </Section>
  );
}
