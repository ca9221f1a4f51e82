import { type FormEvent, type ReactNode, useState } from "react";
import { type Failure, failureAt } from "../graphql/match-result.ts";
import { Button } from "./button.tsx";
import { Actions, Dialog } from "./dialog.tsx";
import { UsdField } from "./field.tsx";
import { FailureNotice } from "./notice.tsx";

const LABELS = {
  perTransactionLimitUsd: "Limit per payment",
  dailyLimitUsd: "Daily limit",
  monthlyLimitUsd: "Monthly limit",
} as const;
type Field = keyof typeof LABELS;
const FIELDS = Object.keys(LABELS) as Field[];
const AMOUNT = /^(?:\d{1,9}(?:\.\d{1,6})?)?$/;

/** Limits in USD as decimal strings. Null means no limit. */
export type Limits = Readonly<Record<Field, string | null>>;

interface CurrentLimits {
  readonly perTransactionLimitUsd: string | null;
  readonly day: { readonly limitUsd: string | null };
  readonly month: { readonly limitUsd: string | null };
}

/** Dialog that changes the limits of an account or an application. */
export function LimitsDialog({
  title,
  description,
  spending,
  noLimitText,
  failure,
  isBusy,
  onSave,
  onClose,
  children,
}: {
  readonly title: string;
  readonly description: string;
  /** Current limits. */
  readonly spending: CurrentLimits;
  /** Placeholder of an empty field. */
  readonly noLimitText: string;
  /** Failure of the last attempt, except the part that `children` show. */
  readonly failure: Failure | null;
  readonly isBusy: boolean;
  readonly onSave: (limits: Limits) => void;
  readonly onClose: () => void;
  /** Further fields of the form. */
  readonly children?: ReactNode;
}) {
  const [amounts, setAmounts] = useState<Readonly<Record<Field, string>>>({
    perTransactionLimitUsd: spending.perTransactionLimitUsd ?? "",
    dailyLimitUsd: spending.day.limitUsd ?? "",
    monthlyLimitUsd: spending.month.limitUsd ?? "",
  });
  const [isSubmitted, setIsSubmitted] = useState(false);
  const isAmount = (field: Field) => AMOUNT.test(amounts[field].trim());
  const errorAt = (field: Field) =>
    isSubmitted && !isAmount(field) ? "Enter an amount such as 5 or 0.25." : failureAt(failure, field);

  function save(event: FormEvent) {
    event.preventDefault();
    setIsSubmitted(true);
    if (!FIELDS.every(isAmount)) return;
    onSave(Object.fromEntries(FIELDS.map((field) => [field, amounts[field].trim() || null])) as Limits);
  }

  return (
    <Dialog isOpen title={title} description={description} onClose={onClose}>
      <form onSubmit={save} noValidate className="grid gap-4">
        {FIELDS.map((field) => (
          <UsdField
            key={field}
            label={LABELS[field]}
            placeholder={noLimitText}
            error={errorAt(field)}
            value={amounts[field]}
            onChange={({ currentTarget }) => setAmounts({ ...amounts, [field]: currentTarget.value })}
          />
        ))}
        {children}
        <FailureNotice failure={FIELDS.some(errorAt) ? null : failure} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={isBusy}>
            Save limits
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
