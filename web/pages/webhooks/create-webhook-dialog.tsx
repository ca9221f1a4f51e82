import { type FormEvent, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Actions, Dialog } from "../../components/dialog.tsx";
import { CreateWebhookDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { readWebhook, WebhookFields } from "./webhook-fields.tsx";
import { SecretDialog } from "./webhook-secret.tsx";

/** Form to create a webhook, followed by its secret. */
export function CreateWebhookDialog({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: () => void;
}) {
  const create = useOperation(CreateWebhookDocument);
  const [secret, setSecret] = useState<string | null>(null);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { value } = await create.run({ input: readWebhook(new FormData(event.currentTarget)) });
    if (!value) return;
    setSecret(value.secret);
    onCreated();
  }

  if (secret !== null) return <SecretDialog title="Webhook created" secret={secret} onClose={onClose} />;
  return (
    <Dialog
      isOpen
      title="New webhook"
      description="The webhook receives events from now on."
      onClose={onClose}
      mayDismiss={!create.isRunning}
    >
      <form onSubmit={(event) => void submit(event)}>
        <WebhookFields failure={create.failure} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={create.isRunning}>
            Create webhook
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
