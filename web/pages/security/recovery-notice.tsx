import { Button } from "../../components/button.tsx";
import { FailureNotice, Notice } from "../../components/notice.tsx";
import { DateTime } from "../../components/time.tsx";
import { useToast } from "../../components/toasts.tsx";
import { CancelAccountRecoveryDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";

/** Notice of a pending change of the email address by an administrator, which the owner can cancel. */
export function RecoveryNotice({
  recovery: { recoveryId, newEmail, effectiveAt },
  onCancelled,
}: {
  readonly recovery: { readonly recoveryId: string; readonly newEmail: string; readonly effectiveAt: string };
  readonly onCancelled: () => void;
}) {
  const cancel = useOperation(CancelAccountRecoveryDocument);
  const toast = useToast();
  async function run() {
    const { value } = await cancel.run({ input: { recoveryId } });
    if (!value) return;
    toast("The email address remains as it is.");
    onCancelled();
  }
  return (
    <div className="mt-4">
      <Notice tone="bad" title="An administrator is changing your email address">
        <p className="wrap-anywhere">
          The new address is {newEmail}. The change takes effect on <DateTime at={effectiveAt} /> and ends all sessions.
          If you did not request it, cancel it.
        </p>
        <FailureNotice failure={cancel.failure} />
        <Button look="danger" className="mt-2" isBusy={cancel.isRunning} onClick={() => void run()}>
          Cancel the change
        </Button>
      </Notice>
    </div>
  );
}
