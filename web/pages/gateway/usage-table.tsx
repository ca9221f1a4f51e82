import { Cell, Row, Table } from "../../components/list.tsx";
import { Money } from "../../components/money.tsx";
import type { UsageBucket } from "./usage-buckets.ts";

const count = new Intl.NumberFormat("en-US");

/** The chart's figures, latest first; only what was used. */
export function UsageTable({
  buckets,
  one,
  nameOf,
}: {
  readonly buckets: readonly UsageBucket[];
  readonly one: "day" | "month";
  readonly nameOf: (startsAt: string) => string;
}) {
  const used = buckets.toReversed().flatMap(({ startsAt, rows }) => rows.map((row) => ({ ...row, startsAt })));
  const when = one === "day" ? "Day (UTC)" : "Month (UTC)";
  return (
    <details className="mt-3">
      <summary className="w-fit text-small text-leather underline-offset-3 hover:underline">Show as a table</summary>
      <div className="mt-2 max-w-3xl text-small">
        <Table
          caption={`Usage by ${one} and model`}
          columns={[when, "Model", "Calls", "Tokens sent", "Tokens answered", "Cost"]}
        >
          {used.map((row) => (
            <Row key={row.startsAt + row.model}>
              <Cell className="whitespace-nowrap">{nameOf(row.startsAt)}</Cell>
              <Cell className="wrap-anywhere">{row.model}</Cell>
              <Cell label="Calls">
                <span className="figures">{count.format(row.callCount)}</span>
              </Cell>
              <Cell label="Tokens sent">
                <span className="figures">{count.format(row.promptTokens)}</span>
              </Cell>
              <Cell label="Tokens answered">
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
