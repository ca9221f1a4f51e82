import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { Cell, Row, Table } from "../../components/list.tsx";
import { Empty, FailureNotice } from "../../components/notice.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import type { PasskeyRowFragment } from "../../generated/graphql.ts";
import { canUsePasskeys } from "../../graphql/passkeys.ts";
import { RemovePasskeyDialog, RenamePasskeyDialog } from "./passkey-dialogs.tsx";
import { useProof } from "./proof-dialog.tsx";
import { useAddPasskey } from "./use-add-passkey.ts";

export function PasskeysSection({
  passkeys,
  account,
  onChanged,
}: {
  readonly passkeys: readonly PasskeyRowFragment[];
  readonly account: { readonly id: string; readonly email: string | null };
  readonly onChanged: () => void;
}) {
  const [renaming, setRenaming] = useState<PasskeyRowFragment | null>(null);
  const [removing, setRemoving] = useState<PasskeyRowFragment | null>(null);
  const proof = useProof(account);
  const adding = useAddPasskey(proof.request, onChanged);
  return (
    <Section
      title="Passkeys"
      hint="Sign in with your fingerprint, face or device PIN. Biometric data never leaves your device."
      aside={
        canUsePasskeys() && (
          <Button size="small" isBusy={adding.isRunning} onClick={() => void adding.run()}>
            Add passkey
          </Button>
        )
      }
    >
      <FailureNotice failure={adding.failure} />
      {passkeys.length === 0 && <Empty>No passkeys yet. Add a passkey to sign in without a code.</Empty>}
      {passkeys.length > 0 && (
        <Table caption="Passkeys, newest first" columns={["Passkey", "Last used", ""]}>
          {passkeys.map((passkey) => (
            <Row key={passkey.id} className="max-md:grid-cols-[minmax(0,1fr)_auto]">
              <Cell className="max-md:col-span-2">
                <span className="font-medium break-words">{passkey.name}</span>
                <span className="block text-small text-muted">
                  Added <Time at={passkey.createdAt} />
                  {passkey.isBackedUp ? ", synced" : ", on one device only"}
                </span>
              </Cell>
              <Cell className="text-small">
                <span className="text-muted md:hidden">Last used </span>
                {passkey.lastUsedAt ? <Time at={passkey.lastUsedAt} /> : "never"}
              </Cell>
              <Cell>
                <span className="inline-flex gap-2">
                  <Button size="small" aria-label={`Rename ${passkey.name}`} onClick={() => setRenaming(passkey)}>
                    Rename
                  </Button>
                  <Button size="small" aria-label={`Remove ${passkey.name}`} onClick={() => setRemoving(passkey)}>
                    Remove
                  </Button>
                </span>
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      {renaming && <RenamePasskeyDialog passkey={renaming} onClose={() => setRenaming(null)} />}
      {removing && (
        <RemovePasskeyDialog
          passkey={removing}
          requestProof={proof.request}
          onClose={() => setRemoving(null)}
          onRemoved={onChanged}
        />
      )}
      {proof.dialog}
    </Section>
  );
}
