import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { InFlightTable } from "../../components/in-flight-table.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { Section } from "../../components/section.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type FreezeStateFragment, InFlightDocument, StopEverythingDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { useReading } from "../../graphql/use-reading.ts";
import { ResumeButton } from "./resume-button.tsx";

interface Owner extends FreezeStateFragment {
  readonly email: string | null;
}

/** Stop of the whole account, or its end, with the operations that it does not recall. */
export function StopSection({ account }: { readonly account: Owner }) {
  const [isConfirming, setIsConfirming] = useState(false);
  const stop = useOperation(StopEverythingDocument);
  const toast = useToast();
  async function confirm() {
    const { value } = await stop.run({});
    setIsConfirming(false);
    if (value) toast("Everything is stopped.");
  }
  return (
    <Section
      title="Stop everything"
      hint="Stops payments, signatures, model calls, trades, orders including queued ones, and outgoing email at once. Data can still be read."
    >
      <FailureNotice failure={stop.failure} />
      {account.frozenBy === null ? (
        <Button look="danger" onClick={() => setIsConfirming(true)}>
          Stop everything
        </Button>
      ) : (
        <Stopped account={account} />
      )}
      <ConfirmDialog
        title="Stop everything?"
        description="Nothing is paid, signed, ordered or sent until you resume the account with a passkey. Without a passkey, only the operator of the service can resume it."
        confirmText="Stop everything"
        isOpen={isConfirming}
        isBusy={stop.isRunning}
        onClose={() => setIsConfirming(false)}
        onConfirm={() => void confirm()}
      />
    </Section>
  );
}

function Stopped({ account }: { readonly account: Owner }) {
  const inFlight = useReading({ query: InFlightDocument }, ({ viewer }) => viewer?.account.inFlight);
  return (
    <>
      {account.frozenBy === "OWNER" ? (
        <ResumeButton account={account} />
      ) : (
        <p>An administrator froze this account. Contact the operator of the service.</p>
      )}
      <div className="mt-4">
        <FailureNotice failure={inFlight.failure} onRetry={inFlight.again} />
        {inFlight.shown && <InFlightTable operations={inFlight.shown} />}
      </div>
    </>
  );
}
