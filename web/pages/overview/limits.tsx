import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { Money } from "../../components/money.tsx";
import { Section } from "../../components/section.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import type { OverviewQuery } from "../../generated/graphql.ts";
import { ChangeLimits } from "./change-limits.tsx";

type Account = NonNullable<OverviewQuery["viewer"]>["account"];
type Spending = Account["spending"];

/** Limits of the account, the remaining amounts and a button to change them. */
export function Limits({
  account,
  onChanged,
}: {
  readonly account: Account | undefined;
  readonly onChanged: () => void;
}) {
  const [isChanging, setIsChanging] = useState(false);
  const spending = account?.spending;
  return (
    <Section
      title="Limits"
      hint="Limits apply to all payments from this account. Days and months are in UTC."
      aside={
        <Button size="small" aria-label="Change limits" disabled={!account} onClick={() => setIsChanging(true)}>
          Change
        </Button>
      }
    >
      <div className="grid gap-x-10 gap-y-6 sm:grid-cols-3">
        <div>
          <p className="text-small text-muted">Per payment</p>
          {spending ? <Ceiling limitUsd={spending.perTransactionLimitUsd} /> : <Skeleton className="h-7 w-32" />}
        </div>
        <Period name="Today" period={spending?.day} />
        <Period name="This month" period={spending?.month} />
      </div>
      {account && isChanging && (
        <ChangeLimits account={account} onClose={() => setIsChanging(false)} onChanged={onChanged} />
      )}
    </Section>
  );
}

function Ceiling({ limitUsd }: { readonly limitUsd: string | null | undefined }) {
  if (limitUsd == null) return <p className="text-lead">No limit</p>;
  return (
    <p>
      up to <Money amount={limitUsd} size="lead" />
    </p>
  );
}

function Period({ name, period }: { readonly name: string; readonly period: Spending["day"] | undefined }) {
  return (
    <div>
      <p className="text-small text-muted">{name}</p>
      {period ? <Ceiling limitUsd={period.limitUsd} /> : <Skeleton className="h-7 w-32" />}
      {period?.limitUsd && <Bar limitUsd={period.limitUsd} period={period} />}
      <p className="mt-1 text-small text-muted">
        {period ? (
          <>
            <Money amount={period.settledUsd} /> spent
            {Number(period.outstandingUsd) > 0 && (
              <>
                , <Money amount={period.outstandingUsd} /> pending
              </>
            )}
            {period.remainingUsd != null && (
              <>
                , <Money amount={period.remainingUsd} /> left
              </>
            )}
          </>
        ) : (
          <Skeleton className="h-4 w-44" />
        )}
      </p>
    </div>
  );
}

/** Decorative: the text below contains the same figures. */
function Bar({ limitUsd, period }: { readonly limitUsd: string; readonly period: Spending["day"] }) {
  const share = (usd: string) => Math.min(100, (Number(usd) / (Number(limitUsd) || 1)) * 100);
  const settled = share(period.settledUsd);
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 100 4"
      preserveAspectRatio="none"
      className="my-1 block h-1.5 w-full rounded-full"
    >
      <rect width="100" height="4" className="fill-line" />
      <rect width={settled} height="4" className="fill-leather" />
      <rect
        x={settled}
        width={Math.min(100 - settled, share(period.outstandingUsd))}
        height="4"
        className="fill-leather/40"
      />
    </svg>
  );
}
