import { useState } from "react";
import { FilterChoice } from "../../components/filter-choice.tsx";
import { ListOf, usePagedList } from "../../components/paged-list.tsx";
import { Section } from "../../components/section.tsx";
import {
  type GatewayCallFilter,
  type GatewayCallRowFragment,
  type GatewayCallStatus,
  GatewayCallsDocument,
} from "../../generated/graphql.ts";
import { mergeUpdates } from "../../graphql/merge-updates.ts";
import { CallTable } from "./call-table.tsx";

const STATUSES: readonly [GatewayCallStatus, string][] = [
  ["PENDING", "In progress"],
  ["COMPLETED", "Completed"],
  ["ABORTED", "Aborted"],
  ["FAILED", "Failed"],
];

/** Gateway calls of the account with live updates, newest first. */
export function Calls({
  updates,
  version,
  models,
}: {
  readonly updates: ReadonlyMap<string, GatewayCallRowFragment>;
  /** Increases when the list must be refreshed. */
  readonly version: number;
  readonly models: readonly string[];
}) {
  const [filter, setFilter] = useState<GatewayCallFilter>({});
  const list = usePagedList(GatewayCallsDocument, { filter }, ({ viewer }) => viewer?.gatewayCalls, { version });
  const { pages } = list;
  const passes = ({ model, status }: GatewayCallRowFragment) =>
    (!filter.model || model === filter.model) && (filter.statuses?.includes(status) ?? true);
  const shown = list.shown && mergeUpdates(list.shown, updates, passes, pages.isFirst);
  // Includes models of listed calls that are no longer offered.
  const usedModels = [filter.model, ...(shown?.map(({ model }) => model) ?? [])].filter((model) => model != null);
  const choices = [...new Set([...models, ...usedModels])].toSorted();
  const isFiltered = Object.values(filter).some(Boolean);
  function choose(change: GatewayCallFilter) {
    pages.reset();
    setFilter({ ...filter, ...change });
  }
  return (
    <Section title="Calls" hint="New calls appear automatically.">
      <div className="mb-4 grid gap-3 sm:max-w-xl sm:grid-cols-2">
        <FilterChoice
          label="Model"
          all="All"
          options={choices.map((id) => [id, id] as const)}
          value={filter.model}
          onChoose={(value) => choose({ model: value || null })}
        />
        <FilterChoice
          label="Status"
          all="All"
          options={STATUSES}
          value={filter.statuses?.[0]}
          onChoose={(value) => choose({ statuses: value ? [value as GatewayCallStatus] : null })}
        />
      </div>
      <ListOf
        list={{ ...list, shown }}
        awaited={{ count: 4, className: "h-16" }}
        empty={isFiltered ? "No matching calls." : "No calls yet. Calls by your tokens and apps appear here."}
      >
        {(rows) => <CallTable rows={rows} isStale={list.isStale} />}
      </ListOf>
    </Section>
  );
}
