import { Money } from "./money.tsx";

interface PeriodSpending {
  readonly limitUsd: string | null;
  readonly settledUsd: string;
  readonly outstandingUsd: string;
}

/** Limits of an API token or application, and the amounts used. */
export function LimitSpending({
  spending,
}: {
  readonly spending: {
    readonly perTransactionLimitUsd: string | null;
    readonly day: PeriodSpending;
    readonly month: PeriodSpending;
  };
}) {
  return (
    <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-3">
      <div>
        <dt className="text-small text-muted">Per payment</dt>
        <dd>
          <UpTo limitUsd={spending.perTransactionLimitUsd} />
        </dd>
      </div>
      <Period name="Today" period={spending.day} />
      <Period name="This month" period={spending.month} />
    </dl>
  );
}

function Period({ name, period }: { readonly name: string; readonly period: PeriodSpending }) {
  return (
    <div>
      <dt className="text-small text-muted">{name}</dt>
      <dd>
        <UpTo limitUsd={period.limitUsd} />
        <span className="block text-small text-muted">
          <Money amount={period.settledUsd} /> spent
          {Number(period.outstandingUsd) > 0 && (
            <>
              , <Money amount={period.outstandingUsd} /> pending
            </>
          )}
        </span>
      </dd>
    </div>
  );
}

function UpTo({ limitUsd }: { readonly limitUsd: string | null }) {
  if (limitUsd === null) return <>No limit set</>;
  return (
    <>
      up to <Money amount={limitUsd} className="font-semibold" />
    </>
  );
}
