import { type FormEvent, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Actions, Dialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/field.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { Section } from "../../components/section.tsx";
import { useToast } from "../../components/toasts.tsx";
import { CompleteEmailChangeDocument, StartEmailChangeDocument } from "../../generated/graphql.ts";
import { failureAt } from "../../graphql/match-result.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { CodeForm } from "../sign-in/code-form.tsx";
import { needsProof, useProof } from "./proof-dialog.tsx";

interface Owner {
  readonly id: string;
  readonly email: string | null;
}

export function EmailSection({ account, onChanged }: { readonly account: Owner; readonly onChanged: () => void }) {
  const { email } = account;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Section
      title="Email address"
      aside={
        <Button size="small" onClick={() => setIsOpen(true)}>
          {email ? "Change" : "Add"}
        </Button>
      }
    >
      <p className="break-all">
        {email ?? (
          <span className="text-muted">
            No email address. Without one, you cannot recover the account if you lose your passkey.
          </span>
        )}
      </p>
      {isOpen && <ChangeDialog account={account} onClose={() => setIsOpen(false)} onChanged={onChanged} />}
    </Section>
  );
}

function ChangeDialog({
  account,
  onClose,
  onChanged,
}: {
  readonly account: Owner;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}) {
  const { email: current } = account;
  const [email, setEmail] = useState("");
  const [attemptId, setAttemptId] = useState<string | null>(null);
  const start = useOperation(StartEmailChangeDocument);
  const complete = useOperation(CompleteEmailChangeDocument);
  const proof = useProof(account);
  const toast = useToast();

  async function send(event?: FormEvent) {
    event?.preventDefault();
    const { value, error } = await start.run({ input: { email } });
    if (value) setAttemptId(value.attemptId);
    else if (needsProof(error)) proof.request(() => void send());
  }
  async function change(code: string) {
    const { value } = await complete.run({ input: { attemptId: attemptId ?? "", code } });
    if (!value) return;
    toast(`Email address set to ${value.account.email}.`);
    onChanged();
    onClose();
  }

  if (proof.dialog) return proof.dialog;
  const atField = failureAt(start.failure, "email");
  return (
    <Dialog
      isOpen
      title={current ? "Change email address" : "Add email address"}
      description={
        current
          ? "Sign-in codes will be sent to the new address. The current address is notified."
          : "Sign-in codes will be sent to this address."
      }
      onClose={onClose}
    >
      {attemptId !== null ? (
        <CodeForm
          email={email}
          isRunning={complete.isRunning}
          isSending={start.isRunning}
          failure={complete.failure ?? start.failure}
          submitText={current ? "Change address" : "Add address"}
          onSubmit={(code) => void change(code)}
          onResend={() => void send()}
          onBack={() => setAttemptId(null)}
        />
      ) : (
        <form onSubmit={(event) => void send(event)}>
          <TextField
            label="New email address"
            type="email"
            name="email"
            required
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            value={email}
            onChange={({ target }) => setEmail(target.value)}
            error={atField}
          />
          <div className="mt-4">
            <FailureNotice failure={atField || needsProof(start.failure) ? null : start.failure} />
          </div>
          <Actions>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" look="primary" isBusy={start.isRunning}>
              Send code
            </Button>
          </Actions>
        </form>
      )}
    </Dialog>
  );
}
