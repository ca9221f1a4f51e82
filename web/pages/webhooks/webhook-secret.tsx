import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { Actions, ConfirmDialog, Dialog } from "../../components/dialog.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { SecretOnce } from "../../components/secret-once.tsx";
import { RotateWebhookSecretDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";

/** The secret of a webhook, this once. */
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
      <SecretOnce secret={secret} what="the secret" kept="it sealed" />
      <p className="mt-4 text-small text-muted">
        Check every message with it before you believe what it says. Any library of Standard Webhooks does.
      </p>
      <Actions>
        <Button look="primary" onClick={onClose}>
          I have kept it
        </Button>
      </Actions>
    </Dialog>
  );
}

/** Replaces the secret, after a question. */
export function RotateSecret({ id }: { readonly id: string }) {
  const rotate = useOperation(RotateWebhookSecretDocument);
  const [isAsking, setIsAsking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  async function confirm() {
    const { value } = await rotate.run({ input: { id } });
    if (!value) return;
    setIsAsking(false);
    setSecret(value.secret);
  }
  return (
    <>
      <Button size="small" onClick={() => setIsAsking(true)}>
        New secret
      </Button>
      {isAsking && (
        <ConfirmDialog
          isOpen
          title="Replace the secret?"
          description="For 24 hours messages are signed with both, so that nothing is lost while you change it. After that the last one is good for nothing."
          confirmText="Replace the secret"
          isBusy={rotate.isRunning}
          onClose={() => setIsAsking(false)}
          onConfirm={() => void confirm()}
        >
          <FailureNotice failure={rotate.failure} />
        </ConfirmDialog>
      )}
      {secret !== null && <SecretDialog title="The new secret" secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
}
