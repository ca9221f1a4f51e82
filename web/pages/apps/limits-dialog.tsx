import { type FormEvent, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Actions, Dialog } from "../../components/dialog.tsx";
import { UsdField } from "../../components/field.tsx";
import { NetworkChoice } from "../../components/network-choice.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type ConnectedAppFragment, UpdateGrantLimitsDocument } from "../../generated/graphql.ts";
import { failureAt } from "../../graphql/match-result.ts";
import { useOperation } from "../../graphql/use-operation.ts";

const FIELDS = {
  perTransactionLimitUsd: "One payment, at most",
  dailyLimitUsd: "A day, at most",
  monthlyLimitUsd: "A month, at most",
} as const;
type Field = keyof typeof FIELDS;

/** New ceilings for what an application may spend from now on. */
export function LimitsDialog({
  app,
  networks: configured,
  onClose,
}: {
  readonly app: ConnectedAppFragment;
  readonly networks: readonly string[];
  readonly onClose: () => void;
}) {
  const { spending } = app;
  const [amounts, setAmounts] = useState<Readonly<Record<Field, string>>>({
    perTransactionLimitUsd: spending.perTransactionLimitUsd ?? "",
    dailyLimitUsd: spending.day.limitUsd ?? "",
    monthlyLimitUsd: spending.month.limitUsd ?? "",
  });
  const [networks, setNetworks] = useState<readonly string[]>(app.networks);
  const update = useOperation(UpdateGrantLimitsDocument);
  const toast = useToast();
  const at = (field: string) => failureAt(update.failure, field);
  const isPlaced = [...Object.keys(FIELDS), "networks"].some(at);
  async function save(event: FormEvent) {
    event.preventDefault();
    const limits = Object.fromEntries(Object.entries(amounts).map(([field, amount]) => [field, amount.trim() || null]));
    const { value } = await update.run({ input: { id: app.id, ...limits, networks: [...networks] } });
    if (!value) return;
    toast(`The limits of ${app.client.appName} are changed.`);
    onClose();
  }
  return (
    <Dialog
      title={`Limits of ${app.client.appName}`}
      description="They hold from the next payment on. Your account’s own limits hold beside them."
      isOpen
      onClose={onClose}
    >
      <form onSubmit={(event) => void save(event)} noValidate className="grid gap-4">
        {(Object.keys(FIELDS) as Field[]).map((field) => (
          <UsdField
            key={field}
            label={FIELDS[field]}
            placeholder="No limit of its own"
            error={at(field)}
            value={amounts[field]}
            onChange={({ currentTarget }) => setAmounts({ ...amounts, [field]: currentTarget.value })}
          />
        ))}
        <NetworkChoice
          legend="Networks"
          error={at("networks")}
          networks={[...new Set([...app.networks, ...configured])]}
          chosen={networks}
          onChange={setNetworks}
        />
        <FailureNotice failure={isPlaced ? null : update.failure} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={update.isRunning}>
            Save the limits
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
