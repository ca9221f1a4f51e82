import { useState } from "react";
import { FailureNotice } from "../../components/notice.tsx";
import { Section } from "../../components/section.tsx";
import { Segments } from "../../components/segments.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { SpendingHistoryDocument, type SpendingPeriod } from "../../generated/graphql.ts";
import { useReading } from "../../graphql/use-reading.ts";
import { SpendingChart } from "./spending-chart.tsx";

const COUNTS: Readonly<Record<SpendingPeriod, number>> = { DAY: 30, MONTH: 12 };
const CHOICES = [
  { value: "DAY", text: "30 days" },
  { value: "MONTH", text: "12 months" },
] as const;

/** Spending over time. A new `version` refreshes it. */
export function Spending({ version }: { readonly version: number }) {
  const [period, setPeriod] = useState<SpendingPeriod>("DAY");
  const {
    shown: buckets,
    failure,
    again,
  } = useReading(
    { query: SpendingHistoryDocument, variables: { period, count: COUNTS[period] }, requestPolicy: "cache-first" },
    ({ viewer }) => viewer?.spendingHistory,
    version,
  );
  return (
    <Section
      title="Spending"
      aside={<Segments legend="Period" choices={CHOICES} value={period} onChange={setPeriod} />}
    >
      <FailureNotice failure={failure} onRetry={again} />
      {buckets ? (
        <SpendingChart buckets={buckets} period={period} />
      ) : (
        !failure && <Skeleton className="h-[17.5rem] w-full" />
      )}
    </Section>
  );
}
