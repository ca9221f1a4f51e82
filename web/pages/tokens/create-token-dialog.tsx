import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { Actions, Dialog } from "../../components/dialog.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { OneTimeSecret } from "../../components/one-time-secret.tsx";
import { TokenFields } from "./token-fields.tsx";
import { useCreateToken } from "./use-create-token.ts";

/** Form to create a token, followed by its secret. */
export function CreateTokenDialog({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: () => void;
}) {
  const [secret, setSecret] = useState<string | null>(null);
  const { choices, problems, budget, failure, isRunning, submit, proofDialog } = useCreateToken((token) => {
    setSecret(token.secret);
    onCreated();
  });

  if (secret !== null) {
    return (
      <Dialog isOpen title="Token created" onClose={onClose} mayDismiss={false}>
        <OneTimeSecret secret={secret} what="the token" />
        <p className="mt-4 text-small text-muted">
          Send it in the <code className="font-mono">X-Service-Token</code> header or as{" "}
          <code className="font-mono">Authorization: Bearer</code>.
        </p>
        <Actions>
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </Actions>
      </Dialog>
    );
  }
  return (
    <Dialog
      isOpen
      title="New token"
      description="A token can never exceed the permissions and limits of your account."
      onClose={onClose}
      mayDismiss={!isRunning}
    >
      <form noValidate onSubmit={(event) => void submit(event)}>
        <FailureNotice failure={choices.failure} onRetry={choices.again} />
        <TokenFields networks={choices.shown?.wallet.networks} problems={problems} budget={budget} failure={failure} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={isRunning || !choices.shown}>
            Create token
          </Button>
        </Actions>
      </form>
      {proofDialog}
    </Dialog>
  );
}
