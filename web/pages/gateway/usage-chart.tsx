import { formatExact, sumUsd } from "../../components/exact.ts";
import { Money } from "../../components/money.tsx";
import type { SpendingPeriod } from "../../generated/graphql.ts";
import { totalsByModel, type UsageBucket, type UsageRow, usageBuckets } from "./usage-buckets.ts";
import { UsageTable } from "./usage-table.tsx";

const DAY = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "short" });
const MONTH = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", month: "short", year: "numeric" });
const BAR = 10;
const GAP = 2;
const HEIGHT = 100;
/** The dearest models by their own shade, the rest together. */
const SHADES = [
  { fill: "fill-leather", swatch: "bg-leather" },
  { fill: "fill-ink", swatch: "bg-ink" },
  { fill: "fill-leather/45", swatch: "bg-leather/45" },
  { fill: "fill-muted", swatch: "bg-muted" },
] as const;
const shadeOf = (at: number) => SHADES[Math.min(at, SHADES.length - 1)] ?? SHADES[0];

/** Bars for the eye, a sentence for the ear, the models' shares as a list, and a table for whoever wants the figures. */
export function UsageChart({
  usage,
  period,
  count,
}: {
  readonly usage: readonly UsageRow[];
  readonly period: SpendingPeriod;
  readonly count: number;
}) {
  const one = period === "DAY" ? "day" : "month";
  const format = period === "DAY" ? DAY : MONTH;
  const nameOf = (startsAt: string) => format.format(new Date(startsAt));
  const totals = totalsByModel(usage);
  const models = totals.map(({ model }) => model);
  const buckets = usageBuckets(usage, models, period, count, Date.now());
  const total = sumUsd(usage.map(({ costUsd }) => costUsd));
  const callCount = calls(usage.reduce((all, row) => all + row.callCount, 0));
  const most = buckets.reduce((a, b) => (Number(b.costUsd) > Number(a.costUsd) ? b : a));
  const mostUsd = Number(most.costUsd);
  const ends = [buckets[0], buckets[Math.floor(buckets.length / 2)], buckets.at(-1)].filter((end) => end !== undefined);
  const summary = `Usage by ${one} over the last ${count}: ${formatExact(total)} USD in all for ${callCount}${
    mostUsd > 0 ? `, most in ${nameOf(most.startsAt)} with ${formatExact(most.costUsd)} USD` : ""
  }.`;
  return (
    <>
      <p>
        <Money amount={total} size="lead" />{" "}
        <span className="text-muted">
          for {callCount} in the last {count} {one}s
        </span>
      </p>
      <figure className="mt-3">
        <p aria-hidden="true" className="figures text-small text-muted">
          {mostUsd === 0 ? "Nothing charged" : `${formatExact(most.costUsd)} USD`}
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
              mostUsd={mostUsd}
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
      <UsageTable buckets={buckets} one={one} nameOf={nameOf} />
    </>
  );
}

/** The models of one day on top of each other, the dearest at the bottom. */
function Bar({
  bucket: { rows, costUsd },
  name,
  x,
  mostUsd,
  models,
}: {
  readonly bucket: UsageBucket;
  readonly name: string;
  readonly x: number;
  readonly mostUsd: number;
  readonly models: readonly string[];
}) {
  const heights = rows.map((row) => (mostUsd === 0 ? 0 : (Number(row.costUsd) / mostUsd) * HEIGHT));
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
