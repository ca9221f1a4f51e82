import { useState } from "react";
import { Empty, FailureNotice } from "../../components/notice.tsx";
import { Section } from "../../components/section.tsx";
import { Segments } from "../../components/segments.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { GatewayUsageDocument, type SpendingPeriod } from "../../generated/graphql.ts";
import { useReading } from "../../graphql/use-reading.ts";
import { UsageChart } from "./usage-chart.tsx";

const COUNTS: Readonly<Record<SpendingPeriod, number>> = { DAY: 30, MONTH: 12 };
const CHOICES = [
  { value: "DAY", text: "30 days" },
  { value: "MONTH", text: "12 months" },
] as const;

/** Usage over time. A new `version` refreshes it. */
export function Usage({ version }: { readonly version: number }) {
  const [period, setPeriod] = useState<SpendingPeriod>("DAY");
  const count = COUNTS[period];
  const {
    shown: usage,
    failure,
    again,
  } = useReading(
    { query: GatewayUsageDocument, variables: { period, count } },
    ({ viewer }) => viewer?.gatewayUsage,
    version,
  );
  return (
    <Section title="Usage" aside={<Segments legend="Period" choices={CHOICES} value={period} onChange={setPeriod} />}>
      <FailureNotice failure={failure} onRetry={again} />
      {!usage && !failure && <Skeleton className="h-[17.5rem] w-full" />}
      {usage?.length === 0 && (
        <Empty>
          No calls in the last {count} {period === "DAY" ? "days" : "months"}.
        </Empty>
      )}
      {usage && usage.length > 0 && <UsageChart usage={usage} period={period} count={count} />}
    </Section>
  );
}
