import { type FormEvent, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Actions, ConfirmDialog, Dialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/field.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type PasskeyRowFragment, RemovePasskeyDocument, RenamePasskeyDocument } from "../../generated/graphql.ts";
import { failureAt } from "../../graphql/match-result.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { needsProof } from "./proof-dialog.tsx";

export function RenamePasskeyDialog({
  passkey,
  onClose,
}: {
  readonly passkey: PasskeyRowFragment;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState(passkey.name);
  const rename = useOperation(RenamePasskeyDocument);
  async function submit(event: FormEvent) {
    event.preventDefault();
    const { value } = await rename.run({ input: { id: passkey.id, name } });
    if (value) onClose();
  }
  const atField = failureAt(rename.failure, "name");
  return (
    <Dialog isOpen title="Rename passkey" onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <TextField
          label="Name"
          name="name"
          required
          maxLength={100}
          autoComplete="off"
          value={name}
          onChange={({ target }) => setName(target.value)}
          error={atField}
        />
        <FailureNotice failure={atField ? null : rename.failure} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={rename.isRunning}>
            Rename
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}

export function RemovePasskeyDialog({
  passkey,
  requestProof,
  onClose,
  onRemoved,
}: {
  readonly passkey: PasskeyRowFragment;
  readonly requestProof: (retry: () => void) => void;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}) {
  const remove = useOperation(RemovePasskeyDocument);
  const toast = useToast();
  async function confirm() {
    const { value, error } = await remove.run({ input: { id: passkey.id } });
    if (value) {
      toast(`Passkey “${passkey.name}” removed.`);
      onRemoved();
      onClose();
    } else if (needsProof(error)) {
      requestProof(() => void confirm());
    }
  }
  return (
    <ConfirmDialog
      isOpen
      title={`Remove “${passkey.name}”?`}
      description="You can no longer sign in with this passkey. Your device may still offer it until you delete it there."
      confirmText="Remove passkey"
      isBusy={remove.isRunning}
      onClose={onClose}
      onConfirm={() => void confirm()}
    >
      <FailureNotice failure={needsProof(remove.failure) ? null : remove.failure} />
    </ConfirmDialog>
  );
}
