import { UsdField } from "../../components/field.tsx";

/** Limits of a new token in US dollars. */
export function TokenLimitFields({
  errorAt,
  hint,
  isRequired = false,
}: {
  /** Returns the error of a field. */
  readonly errorAt: (field: string) => string | undefined;
  readonly hint: string;
  /** Whether the limits per payment and day must be entered. */
  readonly isRequired?: boolean;
}) {
  return (
    <div>
      <div className="grid gap-3 sm:grid-cols-3">
        <UsdField
          label="Limit per payment"
          name="perTransactionLimitUsd"
          required={isRequired}
          error={errorAt("perTransactionLimitUsd")}
        />
        <UsdField label="Daily limit" name="dailyLimitUsd" required={isRequired} error={errorAt("dailyLimitUsd")} />
        <UsdField label="Monthly limit" name="monthlyLimitUsd" error={errorAt("monthlyLimitUsd")} />
      </div>
      <p className="mt-1 text-small text-muted">{hint}</p>
    </div>
  );
}
