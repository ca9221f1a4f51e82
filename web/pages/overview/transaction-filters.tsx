import { FilterChoice } from "../../components/filter-choice.tsx";
import type { TransactionFilter, TransactionStatus, TransactionType } from "../../generated/graphql.ts";

const STATUSES: readonly [TransactionStatus, string][] = [
  ["reserved", "Reserved"],
  ["signed", "Signed"],
  ["settled", "Settled"],
  ["released", "Released"],
  ["failed", "Failed"],
];
const TYPES: readonly [TransactionType, string][] = [
  ["x402", "X402 payments"],
  ["transfer", "Transfers"],
  ["trade", "Trades"],
  ["gateway", "AI gateway"],
  ["credit", "Credit"],
  ["deposit", "Deposits"],
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
  const choose = (name: keyof TransactionFilter, value: string) => onChange({ ...filter, [name]: value || null });
  return (
    <div className="mb-4 grid grid-cols-2 gap-3 max-sm:*:last:col-span-2 sm:max-w-2xl sm:grid-cols-3">
      <FilterChoice
        label="Type"
        all="All"
        options={TYPES}
        value={filter.type}
        onChoose={(value) => choose("type", value)}
      />
      <FilterChoice
        label="Status"
        all="All"
        options={STATUSES}
        value={filter.status}
        onChoose={(value) => choose("status", value)}
      />
      <FilterChoice
        label="Network"
        all="All"
        options={networks.map((name) => [name, name] as const)}
        value={filter.network}
        onChoose={(value) => choose("network", value)}
      />
    </div>
  );
}
