import { formatExact, sumUsd } from "../../components/decimal.ts";
import { Money } from "../../components/money.tsx";
import type { SpendingHistoryQuery, SpendingPeriod } from "../../generated/graphql.ts";

type Bucket = NonNullable<NonNullable<SpendingHistoryQuery["viewer"]>["spendingHistory"]>[number];

const NAMES: Readonly<Record<SpendingPeriod, { unit: string; format: Intl.DateTimeFormat }>> = {
  DAY: { unit: "day", format: new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "short" }) },
  MONTH: {
    unit: "month",
    format: new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", month: "short", year: "numeric" }),
  },
};
const BAR = 10;
const GAP = 2;
const HEIGHT = 100;

/** Bar chart with a text summary for screen readers and a table of the figures. */
export function SpendingChart({
  buckets,
  period,
}: {
  readonly buckets: readonly Bucket[];
  readonly period: SpendingPeriod;
}) {
  const { unit, format } = NAMES[period];
  const nameOf = ({ startsAt }: Bucket) => format.format(new Date(startsAt));
  const total = sumUsd(buckets.map(({ spentUsd }) => spentUsd));
  const maxBucket = buckets.reduce((a, b) => (Number(b.spentUsd) > Number(a.spentUsd) ? b : a), buckets[0] as Bucket);
  const maxUsd = Number(maxBucket.spentUsd);
  const ends = [buckets[0], buckets[Math.floor(buckets.length / 2)], buckets.at(-1)].filter(
    (bucket) => bucket !== undefined,
  );
  const summary =
    maxUsd === 0
      ? `No spending in the last ${buckets.length} ${unit}s.`
      : `Spending by ${unit}, last ${buckets.length}: ${formatExact(total)} USD in total, maximum ${formatExact(maxBucket.spentUsd)} USD (${nameOf(maxBucket)}).`;
  return (
    <>
      <p>
        <Money amount={total} size="lead" />{" "}
        <span className="text-muted">
          in the last {buckets.length} {unit}s
        </span>
      </p>
      <figure className="mt-3">
        <div className="flex items-end justify-between text-small text-muted">
          <span aria-hidden="true" className="figures">
            {maxUsd === 0 ? "No spending" : `${formatExact(maxBucket.spentUsd)} USD`}
          </span>
        </div>
        <svg
          role="img"
          aria-label={summary}
          viewBox={`0 0 ${buckets.length * BAR} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="block h-36 w-full border-t border-dashed border-line"
        >
          {buckets.map((bucket, at) => {
            const height = maxUsd === 0 ? 0 : (Number(bucket.spentUsd) / maxUsd) * HEIGHT;
            return (
              <g key={bucket.startsAt} className="fill-leather hover:opacity-80">
                <title>{`${nameOf(bucket)}: ${formatExact(bucket.spentUsd)} USD, ${payments(bucket.paymentCount)}`}</title>
                <rect x={at * BAR} y={0} width={BAR} height={HEIGHT} className="fill-transparent" />
                <rect x={at * BAR + GAP / 2} y={HEIGHT - height} width={BAR - GAP} height={height} />
              </g>
            );
          })}
        </svg>
        <figcaption
          aria-hidden="true"
          className="flex justify-between border-t border-muted pt-1 text-small text-muted"
        >
          {ends.map((bucket) => (
            <span key={bucket.startsAt}>{nameOf(bucket)}</span>
          ))}
        </figcaption>
      </figure>
      <details className="mt-2">
        <summary className="w-fit text-small text-leather underline-offset-3 hover:underline">Show table</summary>
        <table className="mt-2 w-full max-w-md text-small">
          <caption className="sr-only">Spending by {unit}</caption>
          <thead>
            <tr className="border-b border-line text-left text-muted">
              <th scope="col" className="py-1 font-medium">
                {period === "DAY" ? "Day (UTC)" : "Month (UTC)"}
              </th>
              <th scope="col" className="py-1 text-right font-medium">
                Payments
              </th>
              <th scope="col" className="py-1 text-right font-medium">
                Spent
              </th>
            </tr>
          </thead>
          <tbody>
            {buckets.toReversed().map((bucket) => (
              <tr key={bucket.startsAt} className="border-b border-line">
                <th scope="row" className="py-1 text-left font-normal">
                  {nameOf(bucket)}
                </th>
                <td className="figures py-1 text-right">{bucket.paymentCount}</td>
                <td className="py-1 text-right">
                  <Money amount={bucket.spentUsd} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}

const payments = (count: number) => `${count} ${count === 1 ? "payment" : "payments"}`;
