import { Money } from "../../components/money.tsx";
import type { UsageBucket } from "./usage-buckets.ts";

const count = new Intl.NumberFormat("en-US");
const HEADS = ["Model", "Calls", "Tokens sent", "Tokens answered", "Cost"];

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
  return (
    <details className="mt-3">
      <summary className="w-fit text-small text-leather underline-offset-3 hover:underline">Show as a table</summary>
      <section
        aria-label={`Usage by ${one} and model`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="mt-2 max-w-3xl overflow-x-auto"
      >
        <table className="w-full text-small">
          <caption className="sr-only">Usage by {one} and model</caption>
          <thead>
            <tr className="border-b border-line text-left text-muted">
              <th scope="col" className="py-1 pr-4 font-medium whitespace-nowrap">
                {one === "day" ? "Day (UTC)" : "Month (UTC)"}
              </th>
              {HEADS.map((head, at) => (
                <th key={head} scope="col" className={`py-1 font-medium ${at === 0 ? "pr-4" : "pl-4 text-right"}`}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {used.map((row) => (
              <tr key={row.startsAt + row.model} className="border-b border-line">
                <th scope="row" className="py-1 pr-4 text-left font-normal whitespace-nowrap">
                  {nameOf(row.startsAt)}
                </th>
                <td className="py-1 pr-4">{row.model}</td>
                {[row.callCount, row.promptTokens, row.completionTokens].map((figure, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the columns never move
                  <td key={at} className="figures py-1 pl-4 text-right">
                    {count.format(figure)}
                  </td>
                ))}
                <td className="py-1 pl-4 text-right">
                  <Money amount={row.costUsd} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
