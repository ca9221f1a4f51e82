import { type ReactNode, useId } from "react";
import { formatExact } from "../../components/decimal.ts";
import { type Amounts, LIMITS } from "./amounts.ts";

type Suggested = { readonly [Field in keyof Amounts]?: string | null };

const LABELS: Readonly<Record<keyof Amounts, string>> = {
  perTransactionLimitUsd: "Per payment",
  dailyLimitUsd: "Per day",
  monthlyLimitUsd: "Per month",
};

/** Three limits, empty by default. */
export function LimitFields({
  amounts,
  suggested,
  aside,
  errorAt,
  onChange,
  onSuggested,
}: {
  readonly amounts: Amounts;
  readonly suggested: Suggested | null;
  /** Beside the legend. */
  readonly aside: ReactNode;
  readonly errorAt: (field: keyof Amounts) => string | undefined;
  readonly onChange: (field: keyof Amounts, amount: string) => void;
  readonly onSuggested: (amounts: Amounts) => void;
}) {
  const id = useId();
  const suggestion = suggested && completeSuggestion(suggested);
  return (
    <fieldset>
      <legend className="flex w-full items-baseline justify-between gap-x-3 font-medium">
        Spending limits {aside}
      </legend>
      <div className="mt-1 grid gap-1.5">
        {LIMITS.map((field) => {
          const error = errorAt(field);
          return (
            <div key={field} className="grid grid-cols-[minmax(6rem,1fr)_minmax(9rem,1fr)] items-center gap-x-3">
              <label htmlFor={`${id}-${field}`}>{LABELS[field]}</label>
              <div className="relative">
                <input
                  id={`${id}-${field}`}
                  inputMode="decimal"
                  autoComplete="off"
                  value={amounts[field]}
                  aria-invalid={error ? true : undefined}
                  aria-describedby={error && `${id}-${field}-error`}
                  onChange={({ currentTarget }) => onChange(field, currentTarget.value)}
                  className="figures block h-9 sm:h-10 w-full rounded-md border border-muted bg-paper px-3 pr-13 text-right text-lead font-semibold text-ink aria-invalid:border-bad"
                />
                <span aria-hidden="true" className="absolute inset-y-0 right-3 flex items-center text-small text-muted">
                  USD
                </span>
              </div>
              {error && (
                <p id={`${id}-${field}-error`} className="col-span-2 text-right text-small text-bad">
                  {error}
                </p>
              )}
            </div>
          );
        })}
      </div>
      {suggestion && (
        <p className="mt-1 text-right text-small text-muted">
          Suggested: {LIMITS.map((field) => formatExact(suggestion[field])).join(", ")} USD{" "}
          <button
            type="button"
            onClick={() => onSuggested(suggestion)}
            className="min-h-6 pl-1 text-leather underline underline-offset-3"
          >
            Apply
          </button>
        </p>
      )}
    </fieldset>
  );
}

/** Returns the suggestion only if it sets all three limits. The page never suggests having no limit. */
function completeSuggestion(suggested: Suggested): Amounts | null {
  const { perTransactionLimitUsd: payment, dailyLimitUsd: day, monthlyLimitUsd: month } = suggested;
  if (!payment || !day || !month || Number(payment) === 0) return null;
  return { perTransactionLimitUsd: payment, dailyLimitUsd: day, monthlyLimitUsd: month };
}
