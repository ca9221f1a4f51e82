import { FilterChoice } from "../../components/filter-choice.tsx";
import type { TransactionFilter, TransactionStatus, TransactionType } from "../../generated/graphql.ts";

const STATUSES: readonly [TransactionStatus, string][] = [
  ["RESERVED", "Reserved"],
  ["SIGNED", "Signed"],
  ["SETTLED", "Settled"],
  ["RELEASED", "Released"],
  ["FAILED", "Failed"],
];
const TYPES: readonly [TransactionType, string][] = [
  ["X402", "X402 payments"],
  ["TRANSFER", "Transfers"],
  ["TRADE", "Trades"],
  ["GATEWAY", "AI gateway"],
  ["CREDIT", "Credit"],
  ["DEPOSIT", "Deposits"],
];

/** Filters of the transactions. Each choice applies immediately. */
export function TransactionFilters({
  filter,
  networks,
  onChange,
}: {
  readonly filter: TransactionFilter;
  readonly networks: readonly string[];
  readonly onChange: (filter: TransactionFilter) => void;
}) {
  const choose = (name: keyof TransactionFilter, value: string) =>
    onChange({ ...filter, [name]: value ? [value] : null });
  return (
    <div className="mb-4 grid grid-cols-2 gap-3 max-sm:*:last:col-span-2 sm:max-w-2xl sm:grid-cols-3">
      <FilterChoice
        label="Type"
        all="All"
        options={TYPES}
        value={filter.types?.[0]}
        onChoose={(value) => choose("types", value)}
      />
      <FilterChoice
        label="Status"
        all="All"
        options={STATUSES}
        value={filter.statuses?.[0]}
        onChoose={(value) => choose("statuses", value)}
      />
      <FilterChoice
        label="Network"
        all="All"
        options={networks.map((name) => [name, name] as const)}
        value={filter.networks?.[0]}
        onChoose={(value) => choose("networks", value)}
      />
    </div>
  );
}
