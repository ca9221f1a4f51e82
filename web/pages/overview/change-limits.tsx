import { useState } from "react";
import { type Limits, LimitsDialog } from "../../components/limits-dialog.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type OverviewQuery, SetAccountLimitsDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { needsProof, useProof } from "../security/proof-dialog.tsx";

/** New ceilings for the account itself. */
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
  const proof = useProof(account, "this lets more be spent from your account");
  const toast = useToast();
  // A proof that is given up leads back to what was asked for, not to what stands.
  const [asked, setAsked] = useState<Limits | null>(null);
  async function save(input: Limits) {
    setAsked(input);
    const { value, error } = await set.run({ input });
    if (needsProof(error)) proof.ask(() => void save(input));
    if (!value) return;
    toast("The account’s limits are changed.");
    onChanged();
    onClose();
  }
  if (proof.dialog) return proof.dialog;
  return (
    <LimitsDialog
      title="Limits of your account"
      description="They hold from the next payment on, whatever pays. To raise or remove one you may have to prove that it is you."
      spending={asked ? standing(asked) : account.spending}
      noLimitText="No limit"
      failure={needsProof(set.failure) ? null : set.failure}
      isBusy={set.isRunning}
      onSave={(limits) => void save(limits)}
      onClose={onClose}
    />
  );
}

function standing({ perTransactionLimitUsd, dailyLimitUsd, monthlyLimitUsd }: Limits) {
  return { perTransactionLimitUsd, day: { limitUsd: dailyLimitUsd }, month: { limitUsd: monthlyLimitUsd } };
}
