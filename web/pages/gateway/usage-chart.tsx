import { formatExact, sumUsd } from "../../components/decimal.ts";
import { Money } from "../../components/money.tsx";
import type { SpendingPeriod } from "../../generated/graphql.ts";
import { totalsByModel, type UsageBucket, type UsageRow, usageBuckets } from "./usage-buckets.ts";
import { UsageTable } from "./usage-table.tsx";

const DAY = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "short" });
const MONTH = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", month: "short", year: "numeric" });
const BAR = 10;
const GAP = 2;
const HEIGHT = 100;
/** Colours of the most expensive models. The last colour is shared by all others. */
const SHADES = [
  { fill: "fill-leather", swatch: "bg-leather" },
  { fill: "fill-ink", swatch: "bg-ink" },
  { fill: "fill-leather/45", swatch: "bg-leather/45" },
  { fill: "fill-muted", swatch: "bg-muted" },
] as const;
const shadeOf = (at: number) => SHADES[Math.min(at, SHADES.length - 1)] ?? SHADES[0];

/** Stacked bar chart with a text summary for screen readers, totals by model and a table of the figures. */
export function UsageChart({
  usage,
  period,
  count,
}: {
  readonly usage: readonly UsageRow[];
  readonly period: SpendingPeriod;
  readonly count: number;
}) {
  const unit = period === "DAY" ? "day" : "month";
  const format = period === "DAY" ? DAY : MONTH;
  const nameOf = (startsAt: string) => format.format(new Date(startsAt));
  const totals = totalsByModel(usage);
  const models = totals.map(({ model }) => model);
  const buckets = usageBuckets(usage, models, period, count, Date.now());
  const total = sumUsd(usage.map(({ costUsd }) => costUsd));
  const callCount = calls(usage.reduce((sum, row) => sum + row.callCount, 0));
  const maxBucket = buckets.reduce((a, b) => (Number(b.costUsd) > Number(a.costUsd) ? b : a));
  const maxUsd = Number(maxBucket.costUsd);
  const ends = [buckets[0], buckets[Math.floor(buckets.length / 2)], buckets.at(-1)].filter((end) => end !== undefined);
  const summary = `Usage by ${unit}, last ${count}: ${formatExact(total)} USD in total for ${callCount}${
    maxUsd > 0 ? `, maximum ${formatExact(maxBucket.costUsd)} USD (${nameOf(maxBucket.startsAt)})` : ""
  }.`;
  return (
    <>
      <p>
        <Money amount={total} size="lead" />{" "}
        <span className="text-muted">
          for {callCount} in the last {count} {unit}s
        </span>
      </p>
      <figure className="mt-3">
        <p aria-hidden="true" className="figures text-small text-muted">
          {maxUsd === 0 ? "No charges" : `${formatExact(maxBucket.costUsd)} USD`}
        </p>
        <svg
          role="img"
          aria-label={summary}
          viewBox={`0 0 ${buckets.length * BAR} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="block h-36 w-full border-t border-dashed border-line"
        >
          {buckets.map((bucket, at) => (
            <Bar
              key={bucket.startsAt}
              bucket={bucket}
              name={nameOf(bucket.startsAt)}
              x={at * BAR}
              maxUsd={maxUsd}
              models={models}
            />
          ))}
        </svg>
        <figcaption
          aria-hidden="true"
          className="flex justify-between border-t border-muted pt-1 text-small text-muted"
        >
          {ends.map(({ startsAt }) => (
            <span key={startsAt}>{nameOf(startsAt)}</span>
          ))}
        </figcaption>
      </figure>
      <ul aria-label="By model" className="mt-3 flex flex-col gap-x-6 gap-y-1 text-small sm:flex-row sm:flex-wrap">
        {totals.map(({ model, callCount: own, costUsd }, at) => (
          <li key={model} className="flex min-w-0 items-baseline gap-2">
            <span aria-hidden="true" className={`size-2.5 shrink-0 rounded-xs ${shadeOf(at).swatch}`} />
            <span className="min-w-0 break-words">
              {model}: <Money amount={costUsd} />
              <span className="text-muted"> for {calls(own)}</span>
            </span>
          </li>
        ))}
      </ul>
      <UsageTable buckets={buckets} unit={unit} nameOf={nameOf} />
    </>
  );
}

/** Stacked bar of one period, most expensive model at the bottom. */
function Bar({
  bucket: { rows, costUsd },
  name,
  x,
  maxUsd,
  models,
}: {
  readonly bucket: UsageBucket;
  readonly name: string;
  readonly x: number;
  readonly maxUsd: number;
  readonly models: readonly string[];
}) {
  const heights = rows.map((row) => (maxUsd === 0 ? 0 : (Number(row.costUsd) / maxUsd) * HEIGHT));
  const topOf = (at: number) => HEIGHT - heights.slice(0, at + 1).reduce((sum, height) => sum + height, 0);
  return (
    <g className="hover:opacity-80">
      <title>
        {[
          `${name}: ${formatExact(costUsd)} USD`,
          ...rows.map((row) => `${row.model}: ${formatExact(row.costUsd)} USD, ${calls(row.callCount)}`),
        ].join("\n")}
      </title>
      <rect x={x} y={0} width={BAR} height={HEIGHT} className="fill-transparent" />
      {rows.map((row, at) => (
        <rect
          key={row.model}
          x={x + GAP / 2}
          y={topOf(at)}
          width={BAR - GAP}
          height={heights[at]}
          vectorEffect="non-scaling-stroke"
          className={`${at > 0 ? "stroke-paper" : ""} ${shadeOf(models.indexOf(row.model)).fill}`}
        />
      ))}
    </g>
  );
}

const calls = (count: number) => `${count} ${count === 1 ? "call" : "calls"}`;
