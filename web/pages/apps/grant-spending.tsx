import { Money } from "../../components/money.tsx";
import type { ConnectedAppFragment } from "../../generated/graphql.ts";

type Spending = ConnectedAppFragment["spending"];

/** An application's ceilings, and how much of them is gone. */
export function GrantSpending({ spending }: { readonly spending: Spending }) {
  return (
    <dl className="mt-4 grid gap-x-8 gap-y-3 sm:grid-cols-3">
      <div>
        <dt className="text-small text-muted">One payment</dt>
        <dd>
          <AtMost limitUsd={spending.perTransactionLimitUsd} />
        </dd>
      </div>
      <Period name="Today" period={spending.day} />
      <Period name="This month" period={spending.month} />
    </dl>
  );
}

function Period({ name, period }: { readonly name: string; readonly period: Spending["day"] }) {
  return (
    <div>
      <dt className="text-small text-muted">{name}</dt>
      <dd>
        <AtMost limitUsd={period.limitUsd} />
        <span className="block text-small text-muted">
          <Money amount={period.settledUsd} /> spent
          {Number(period.outstandingUsd) > 0 && (
            <>
              , <Money amount={period.outstandingUsd} /> on its way
            </>
          )}
        </span>
      </dd>
    </div>
  );
}

function AtMost({ limitUsd }: { readonly limitUsd: string | null | undefined }) {
  if (limitUsd === null || limitUsd === undefined) return <>no limit of its own</>;
  return (
    <>
      at most <Money amount={limitUsd} className="font-semibold" />
    </>
  );
}
