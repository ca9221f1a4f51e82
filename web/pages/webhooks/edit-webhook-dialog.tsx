import type { FormEvent } from "react";
import { Button } from "../../components/button.tsx";
import { Actions, Dialog } from "../../components/dialog.tsx";
import { UpdateWebhookDocument, type WebhookRowFragment } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { readWebhook, WebhookFields } from "./webhook-fields.tsx";

export function EditWebhookDialog({
  webhook,
  onClose,
  onChanged,
}: {
  readonly webhook: WebhookRowFragment;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}) {
  const update = useOperation(UpdateWebhookDocument);
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { value } = await update.run({
      input: { id: webhook.id, ...readWebhook(new FormData(event.currentTarget)) },
    });
    if (!value) return;
    onChanged();
    onClose();
  }
  return (
    <Dialog isOpen title="Edit webhook" onClose={onClose} mayDismiss={!update.isRunning}>
      <form onSubmit={(event) => void submit(event)}>
        <WebhookFields failure={update.failure} webhook={webhook} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={update.isRunning}>
            Save
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
