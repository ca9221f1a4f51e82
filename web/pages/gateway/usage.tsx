import { useEffect, useState } from "react";
import { useQuery } from "urql";
import { Empty, FailureNotice } from "../../components/notice.tsx";
import { Section } from "../../components/section.tsx";
import { Segments } from "../../components/segments.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { GatewayUsageDocument, type SpendingPeriod } from "../../generated/graphql.ts";
import { isSignedOut } from "../../graphql/client.ts";
import { transportFailure } from "../../graphql/use-operation.ts";
import { UsageChart } from "./usage-chart.tsx";

const COUNTS: Readonly<Record<SpendingPeriod, number>> = { DAY: 30, MONTH: 12 };
const CHOICES = [
  { value: "DAY", text: "30 days" },
  { value: "MONTH", text: "12 months" },
] as const;

/** What calls used over time; `version` changes whenever it has to be asked for again. */
export function Usage({ version }: { readonly version: number }) {
  const [period, setPeriod] = useState<SpendingPeriod>("DAY");
  const count = COUNTS[period];
  const [{ data, error }, refresh] = useQuery({
    query: GatewayUsageDocument,
    variables: { period, count },
    requestPolicy: "cache-and-network",
  });
  useEffect(() => {
    if (version > 0) refresh({ requestPolicy: "network-only" });
  }, [version, refresh]);
  const usage = data?.viewer?.gatewayUsage;
  const failure = error && !usage && !isSignedOut(error) ? transportFailure(error) : null;
  return (
    <Section title="Usage" aside={<Segments legend="Period" choices={CHOICES} value={period} onChange={setPeriod} />}>
      <FailureNotice failure={failure} onRetry={() => refresh({ requestPolicy: "network-only" })} />
      {!usage && !failure && <Skeleton className="h-[17.5rem] w-full" />}
      {usage?.length === 0 && (
        <Empty>
          No model was asked in the last {count} {period === "DAY" ? "days" : "months"}.
        </Empty>
      )}
      {usage && usage.length > 0 && <UsageChart usage={usage} period={period} count={count} />}
    </Section>
  );
}
