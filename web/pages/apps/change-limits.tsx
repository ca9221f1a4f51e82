import { useState } from "react";
import { type CardBudgetProblems, readCardBudget, toCardBudgetDraft } from "../../components/card-budget-draft.ts";
import { CardBudgetFields } from "../../components/card-budget-fields.tsx";
import { type Limits, LimitsDialog } from "../../components/limits-dialog.tsx";
import { NetworkChoice } from "../../components/network-choice.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type ConnectedAppFragment, UpdateGrantLimitsDocument } from "../../generated/graphql.ts";
import { failureAt } from "../../graphql/match-result.ts";
import { useOperation } from "../../graphql/use-operation.ts";

/** Dialog to change the limits and networks of an app. */
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
  const [budget, setBudget] = useState(() => toCardBudgetDraft(app.cardBudget));
  const [problems, setProblems] = useState<CardBudgetProblems>({});
  const update = useOperation(UpdateGrantLimitsDocument);
  const toast = useToast();
  const networksError = failureAt(update.failure, "networks");
  async function save(limits: Limits) {
    const read = readCardBudget(budget, { allowsNoLimit: true });
    setProblems("problems" in read ? read.problems : {});
    if ("problems" in read) return;
    const cardBudget = read.input;
    const { value } = await update.run({ input: { id: app.id, ...limits, cardBudget, networks: [...networks] } });
    if (!value) return;
    toast(`Limits of ${app.client.appName} changed.`);
    onClose();
  }
  return (
    <LimitsDialog
      title={`Limits of ${app.client.appName}`}
      description="Limits apply from the next payment, in addition to your account limits."
      spending={app.spending}
      noLimitText="No app limit"
      failure={networksError ? null : update.failure}
      isBusy={update.isRunning}
      onSave={(limits) => void save(limits)}
      onClose={onClose}
    >
      <CardBudgetFields draft={budget} problems={problems} isNew={false} onChange={setBudget} />
      <NetworkChoice
        legend="Networks"
        error={networksError}
        networks={[...new Set([...app.networks, ...configured])]}
        chosen={networks}
        onChange={setNetworks}
      />
    </LimitsDialog>
  );
}
