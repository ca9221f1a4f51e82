import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { Actions, ConfirmDialog, Dialog } from "../../components/dialog.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { OneTimeSecret } from "../../components/one-time-secret.tsx";
import { RotateWebhookSecretDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";

/** Dialog that shows the secret of a webhook once. */
export function SecretDialog({
  title,
  secret,
  onClose,
}: {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
}) {
  return (
    <Dialog isOpen title={title} onClose={onClose} mayDismiss={false}>
      <OneTimeSecret secret={secret} what="the secret" storedForm="it encrypted" />
      <p className="mt-4 text-small text-muted">
        Use it to verify the signature of every request. Any Standard Webhooks library can do this.
      </p>
      <Actions>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </Actions>
    </Dialog>
  );
}

/** Button to rotate the secret, with a confirmation. */
export function RotateSecret({ id }: { readonly id: string }) {
  const rotate = useOperation(RotateWebhookSecretDocument);
  const [isConfirming, setIsConfirming] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  async function confirm() {
    const { value } = await rotate.run({ input: { id } });
    if (!value) return;
    setIsConfirming(false);
    setSecret(value.secret);
  }
  return (
    <>
      <Button size="small" onClick={() => setIsConfirming(true)}>
        Rotate secret
      </Button>
      {isConfirming && (
        <ConfirmDialog
          isOpen
          title="Rotate secret?"
          description="For 24 hours, requests are signed with both secrets to give you time to switch. After that the previous secret is invalid."
          confirmText="Rotate secret"
          isBusy={rotate.isRunning}
          onClose={() => setIsConfirming(false)}
          onConfirm={() => void confirm()}
        >
          <FailureNotice failure={rotate.failure} />
        </ConfirmDialog>
      )}
      {secret !== null && <SecretDialog title="New secret" secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
}
