import { useState } from "react";
import { type Limits, LimitsDialog } from "../../components/limits-dialog.tsx";
import { NetworkChoice } from "../../components/network-choice.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type ConnectedAppFragment, UpdateGrantLimitsDocument } from "../../generated/graphql.ts";
import { failureAt } from "../../graphql/match-result.ts";
import { useOperation } from "../../graphql/use-operation.ts";

/** New ceilings and networks for what an application may spend from now on. */
export function ChangeLimits({
  app,
  networks: configured,
  onClose,
}: {
  readonly app: ConnectedAppFragment;
  readonly networks: readonly string[];
  readonly onClose: () => void;
}) {
  const [networks, setNetworks] = useState<readonly string[]>(app.networks);
  const update = useOperation(UpdateGrantLimitsDocument);
  const toast = useToast();
  const ofNetworks = failureAt(update.failure, "networks");
  async function save(limits: Limits) {
    const { value } = await update.run({ input: { id: app.id, ...limits, networks: [...networks] } });
    if (!value) return;
    toast(`The limits of ${app.client.appName} are changed.`);
    onClose();
  }
  return (
    <LimitsDialog
      title={`Limits of ${app.client.appName}`}
      description="They hold from the next payment on. Your account’s own limits hold beside them."
      spending={app.spending}
      noLimitText="No limit of its own"
      failure={ofNetworks ? null : update.failure}
      isBusy={update.isRunning}
      onSave={(limits) => void save(limits)}
      onClose={onClose}
    >
      <NetworkChoice
        legend="Networks"
        error={ofNetworks}
        networks={[...new Set([...app.networks, ...configured])]}
        chosen={networks}
        onChange={setNetworks}
      />
    </LimitsDialog>
  );
}
