import { Cell, Row, Table } from "../../components/list.tsx";
import { Money } from "../../components/money.tsx";
import type { UsageBucket } from "./usage-buckets.ts";

const count = new Intl.NumberFormat("en-US");

/** Figures of the chart, latest first. Periods without usage are omitted. */
export function UsageTable({
  buckets,
  unit,
  nameOf,
}: {
  readonly buckets: readonly UsageBucket[];
  readonly unit: "day" | "month";
  readonly nameOf: (startsAt: string) => string;
}) {
  const usedRows = buckets.toReversed().flatMap(({ startsAt, rows }) => rows.map((row) => ({ ...row, startsAt })));
  const periodColumn = unit === "day" ? "Day (UTC)" : "Month (UTC)";
  return (
    <details className="mt-3">
      <summary className="w-fit text-small text-leather underline-offset-3 hover:underline">Show table</summary>
      <div className="mt-2 max-w-3xl text-small">
        <Table
          caption={`Usage by ${unit} and model`}
          columns={[periodColumn, "Model", "Calls", "Input tokens", "Output tokens", "Cost"]}
        >
          {usedRows.map((row) => (
            <Row key={row.startsAt + row.model}>
              <Cell className="whitespace-nowrap">{nameOf(row.startsAt)}</Cell>
              <Cell className="wrap-anywhere">{row.model}</Cell>
              <Cell label="Calls">
                <span className="figures">{count.format(row.callCount)}</span>
              </Cell>
              <Cell label="Input tokens">
                <span className="figures">{count.format(row.promptTokens)}</span>
              </Cell>
              <Cell label="Output tokens">
                <span className="figures">{count.format(row.completionTokens)}</span>
              </Cell>
              <Cell label="Cost">
                <Money amount={row.costUsd} />
              </Cell>
            </Row>
          ))}
        </Table>
      </div>
    </details>
  );
}
