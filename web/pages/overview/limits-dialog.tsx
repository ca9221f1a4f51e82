import { type FormEvent, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Actions, Dialog } from "../../components/dialog.tsx";
import { UsdField } from "../../components/field.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type OverviewQuery, SetAccountLimitsDocument } from "../../generated/graphql.ts";
import { failureAt } from "../../graphql/match-result.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { needsProof, useProof } from "../security/proof-dialog.tsx";

const LABELS = {
  perTransactionLimitUsd: "One payment, at most",
  dailyLimitUsd: "A day, at most",
  monthlyLimitUsd: "A month, at most",
} as const;
type Field = keyof typeof LABELS;
const FIELDS = Object.keys(LABELS) as Field[];
const AMOUNT = /^(?:\d{1,9}(?:\.\d{1,6})?)?$/;

/** New ceilings for the account itself. */
export function LimitsDialog({
  account,
  onClose,
  onChanged,
}: {
  readonly account: NonNullable<OverviewQuery["viewer"]>["account"];
  readonly onClose: () => void;
  readonly onChanged: () => void;
}) {
  const { spending } = account;
  const [amounts, setAmounts] = useState<Readonly<Record<Field, string>>>({
    perTransactionLimitUsd: spending.perTransactionLimitUsd ?? "",
    dailyLimitUsd: spending.day.limitUsd ?? "",
    monthlyLimitUsd: spending.month.limitUsd ?? "",
  });
  const [isTried, setIsTried] = useState(false);
  const set = useOperation(SetAccountLimitsDocument);
  const proof = useProof(account, "this lets more be spent from your account");
  const toast = useToast();
  const isAmount = (field: Field) => AMOUNT.test(amounts[field].trim());
  const errorAt = (field: Field) =>
    isTried && !isAmount(field) ? "Write an amount such as 5 or 0.25." : failureAt(set.failure, field);

  async function save(event?: FormEvent) {
    event?.preventDefault();
    setIsTried(true);
    if (!FIELDS.every(isAmount)) return;
    const input = Object.fromEntries(FIELDS.map((field) => [field, amounts[field].trim() || null]));
    const { value, error } = await set.run({ input });
    if (needsProof(error)) proof.ask(() => void save());
    if (!value) return;
    toast("The account’s limits are changed.");
    onChanged();
    onClose();
  }

  if (proof.dialog) return proof.dialog;
  return (
    <Dialog
      isOpen
      title="Limits of your account"
      description="They hold from the next payment on, whatever pays. To raise or remove one you may have to prove that it is you."
      onClose={onClose}
    >
      <form onSubmit={(event) => void save(event)} noValidate className="grid gap-4">
        {FIELDS.map((field) => (
          <UsdField
            key={field}
            label={LABELS[field]}
            placeholder="No limit"
            error={errorAt(field)}
            value={amounts[field]}
            onChange={({ currentTarget }) => setAmounts({ ...amounts, [field]: currentTarget.value })}
          />
        ))}
        <FailureNotice failure={FIELDS.some(errorAt) || needsProof(set.failure) ? null : set.failure} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={set.isRunning}>
            Save the limits
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
