import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/field.tsx";
import { InFlightTable } from "../../components/in-flight-table.tsx";
import { FailureNotice, Notice } from "../../components/notice.tsx";
import { Section } from "../../components/section.tsx";
import { DateTime } from "../../components/time.tsx";
import { useToast } from "../../components/toasts.tsx";
import {
  FreezeServiceDocument,
  InFlightOperationsDocument,
  ServiceFreezeDocument,
  UnfreezeServiceDocument,
} from "../../generated/graphql.ts";
import { failureAt } from "../../graphql/match-result.ts";
import { useReading } from "../../graphql/use-reading.ts";
import { useAct } from "./use-act.tsx";

/** Freeze of the whole service, with a reason that is recorded. */
export function Freezes({ onActed }: { readonly onActed: () => void }) {
  const state = useReading({ query: ServiceFreezeDocument }, ({ serviceFreeze }) => ({
    freeze: serviceFreeze ?? null,
  }));
  const [reason, setReason] = useState("");
  const [isConfirming, setIsConfirming] = useState(false);
  const toast = useToast();
  const finish = (text: string) => {
    setReason("");
    toast(text);
    state.again();
    onActed();
  };
  const freeze = useAct(FreezeServiceDocument, () => finish("The service was frozen."));
  const unfreeze = useAct(UnfreezeServiceDocument, () => finish("The service was unfrozen."));
  const current = state.shown?.freeze;
  const act = current ? unfreeze : freeze;
  const reasonFailure = failureAt(act.failure, "reason");
  function run() {
    setIsConfirming(false);
    void act.run({ input: { reason } });
  }
  return (
    <Section
      title="Freeze of the service"
      hint="Stops payments, signatures, trades, orders, outgoing email, sign-up and sign-in of all accounts. Administrators can still sign in. Data can still be read."
    >
      <FailureNotice failure={state.failure} onRetry={state.again} />
      {current && (
        <Notice tone="bad" title="The service is frozen">
          <p className="wrap-anywhere">
            Since <DateTime at={current.frozenAt} />: {current.reason}
          </p>
        </Notice>
      )}
      {state.shown && (
        <div className="mt-4 grid gap-3">
          <TextField
            label="Reason for the service"
            hint="Recorded with the act."
            value={reason}
            maxLength={1_000}
            error={reasonFailure}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
          <div>
            {current ? (
              <Button isBusy={unfreeze.isRunning} onClick={run}>
                Unfreeze service
              </Button>
            ) : (
              <Button look="danger" isBusy={freeze.isRunning} onClick={() => setIsConfirming(true)}>
                Freeze service
              </Button>
            )}
          </div>
          <FailureNotice failure={reasonFailure ? null : act.failure} />
        </div>
      )}
      {current && <InFlight key={current.frozenAt} />}
      <ConfirmDialog
        title="Freeze the whole service?"
        description="No account can pay, sign, order, send email or sign in until an administrator ends the freeze."
        confirmText="Freeze service"
        isOpen={isConfirming}
        onClose={() => setIsConfirming(false)}
        onConfirm={run}
      />
      {freeze.proof}
      {unfreeze.proof}
    </Section>
  );
}

/** Operations of all accounts that the freeze does not recall. */
function InFlight() {
  const { shown, failure, again } = useReading(
    { query: InFlightOperationsDocument, variables: { accountId: null } },
    ({ inFlightOperations }) => inFlightOperations ?? undefined,
  );
  return (
    <div className="mt-4">
      <FailureNotice failure={failure} onRetry={again} />
      {shown && <InFlightTable operations={shown} />}
    </div>
  );
}
