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
import { withMoved } from "../../graphql/live-rows.ts";
import { CallTable } from "./call-table.tsx";

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
  const list = usePagedList(GatewayCallsDocument, { filter }, ({ viewer }) => viewer?.gatewayCalls, { version });
  const { pages } = list;
  const passes = ({ model, status }: GatewayCallRowFragment) =>
    (!filter.model || model === filter.model) && (!filter.status || status === filter.status);
  const shown = list.shown && withMoved(list.shown, updates, passes, pages.isFirst);
  // Also those that were asked and are offered no more.
  const asked = [filter.model, ...(shown?.map(({ model }) => model) ?? [])].filter((model) => model != null);
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
      <ListOf
        list={{ ...list, shown }}
        awaited={{ count: 4, className: "h-16" }}
        empty={
          isFiltered
            ? "No call is like that."
            : "No model was asked yet. The first call of a token or an app appears here."
        }
      >
        {(rows) => <CallTable rows={rows} isStale={list.isStale} />}
      </ListOf>
    </Section>
  );
}
