import type { ReactNode } from "react";
import { Money } from "./money.tsx";

interface Ceilings {
  readonly perTransactionLimitUsd: string | null;
  readonly day: { readonly limitUsd: string | null };
  readonly month: { readonly limitUsd: string | null };
}

/** Limits in words: "at most 1.00 USD a payment, 5.00 USD a day". `otherwise` stands where there is none. */
export function LimitsText({
  spending,
  otherwise,
}: {
  readonly spending: Ceilings;
  readonly otherwise: string;
}): ReactNode {
  const limits = [
    [spending.perTransactionLimitUsd, "a payment"],
    [spending.day.limitUsd, "a day"],
    [spending.month.limitUsd, "a month"],
  ].filter((limit): limit is [string, string] => limit[0] !== null);
  if (limits.length === 0) return otherwise;
  return (
    <>
      {"at most "}
      {limits.map(([usd, per], at) => (
        <span key={per}>
          {at > 0 && ", "}
          <Money amount={usd} /> {per}
        </span>
      ))}
    </>
  );
}
