import { useEffect, useState } from "react";
import { useQuery } from "urql";
import { FilterChoice } from "../../components/filter-choice.tsx";
import { Empty, FailureNotice } from "../../components/notice.tsx";
import { Pager, usePages } from "../../components/pager.tsx";
import { Section } from "../../components/section.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import {
  type GatewayCallFilter,
  type GatewayCallRowFragment,
  type GatewayCallStatus,
  GatewayCallsDocument,
} from "../../generated/graphql.ts";
import { isSignedOut } from "../../graphql/client.ts";
import { withMoved } from "../../graphql/live-rows.ts";
import { transportFailure } from "../../graphql/use-operation.ts";
import { CallTable } from "./call-table.tsx";

const PAGE_SIZE = 20;
const STATUSES: readonly [GatewayCallStatus, string][] = [
  ["pending", "Under way"],
  ["completed", "Answered"],
  ["aborted", "Broken off"],
  ["failed", "Failed"],
];

/** The account's calls, newest first, as they move. */
export function Calls({
  updates,
  version,
  models,
}: {
  readonly updates: ReadonlyMap<string, GatewayCallRowFragment>;
  /** Changes whenever they have to be asked for again. */
  readonly version: number;
  readonly models: readonly string[];
}) {
  const [filter, setFilter] = useState<GatewayCallFilter>({});
  const pages = usePages();
  const [{ data, error, stale }, refresh] = useQuery({
    query: GatewayCallsDocument,
    variables: { filter, first: PAGE_SIZE, after: pages.after },
    requestPolicy: "cache-and-network",
  });
  useEffect(() => {
    if (version > 0) refresh({ requestPolicy: "network-only" });
  }, [version, refresh]);
  const connection = data?.viewer?.gatewayCalls;
  const failure = error && !connection && !isSignedOut(error) ? transportFailure(error) : null;
  const found = connection?.edges.map(({ node }) => node);
  const passes = ({ model, status }: GatewayCallRowFragment) =>
    (!filter.model || model === filter.model) && (!filter.status || status === filter.status);
  const rows = found && withMoved(found, updates, passes, pages.isFirst);
  // Also those that were asked and are offered no more.
  const asked = [filter.model, ...(rows?.map(({ model }) => model) ?? [])].filter((model) => model != null);
  const choices = [...new Set([...models, ...asked])].toSorted();
  const isFiltered = Object.values(filter).some(Boolean);
  function choose(name: "model" | "status", value: string) {
    pages.reset();
    setFilter({ ...filter, [name]: value || null });
  }
  return (
    <Section title="Calls" hint="New ones appear by themselves.">
      <div className="mb-4 grid gap-3 sm:max-w-xl sm:grid-cols-2">
        <FilterChoice
          label="Model"
          all="All models"
          options={choices.map((id) => [id, id] as const)}
          value={filter.model}
          onChoose={(value) => choose("model", value)}
        />
        <FilterChoice
          label="Status"
          all="Any status"
          options={STATUSES}
          value={filter.status}
          onChoose={(value) => choose("status", value)}
        />
      </div>
      <FailureNotice failure={failure} onRetry={() => refresh({ requestPolicy: "network-only" })} />
      {!rows && !failure && <SkeletonRows count={4} className="h-16" />}
      {rows?.length === 0 && (
        <Empty>
          {isFiltered
            ? "No call is like that."
            : "No model was asked yet. The first call of a token or an app appears here."}
        </Empty>
      )}
      {rows && rows.length > 0 && <CallTable rows={rows} isStale={stale} />}
      <Pager pages={pages} pageInfo={connection?.pageInfo} />
    </Section>
  );
}
