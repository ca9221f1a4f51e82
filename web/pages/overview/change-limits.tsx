import { useState } from "react";
import { type Limits, LimitsDialog } from "../../components/limits-dialog.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type OverviewQuery, SetAccountLimitsDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { needsProof, useProof } from "../security/proof-dialog.tsx";

/** Dialog to change the limits of the account. */
export function ChangeLimits({
  account,
  onClose,
  onChanged,
}: {
  readonly account: NonNullable<OverviewQuery["viewer"]>["account"];
  readonly onClose: () => void;
  readonly onChanged: () => void;
}) {
  const set = useOperation(SetAccountLimitsDocument);
  const proof = useProof(account, "higher limits require a recent sign-in");
  const toast = useToast();
  // If the sign-in is cancelled, the dialog shows the requested limits again, not the current ones.
  const [requested, setRequested] = useState<Limits | null>(null);
  async function save(input: Limits) {
    setRequested(input);
    const { value, error } = await set.run({ input });
    if (needsProof(error)) proof.request(() => void save(input));
    if (!value) return;
    toast("Account limits changed.");
    onChanged();
    onClose();
  }
  if (proof.dialog) return proof.dialog;
  return (
    <LimitsDialog
      title="Account limits"
      description="Limits apply to all payments, starting with the next one. Raising or removing a limit may require you to sign in again."
      spending={requested ? toSpending(requested) : account.spending}
      noLimitText="No limit"
      failure={needsProof(set.failure) ? null : set.failure}
      isBusy={set.isRunning}
      onSave={(limits) => void save(limits)}
      onClose={onClose}
    />
  );
}

function toSpending({ perTransactionLimitUsd, dailyLimitUsd, monthlyLimitUsd }: Limits) {
  return { perTransactionLimitUsd, day: { limitUsd: dailyLimitUsd }, month: { limitUsd: monthlyLimitUsd } };
}
