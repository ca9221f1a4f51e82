import { type FormEvent, useState } from "react";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import {
  CompletePasskeySignUpDocument,
  type SignedInFragment,
  StartPasskeySignUpDocument,
} from "../../generated/graphql.ts";
import { type Failure, failureAt } from "../../graphql/match-result.ts";
import { createPasskey } from "../../graphql/passkeys.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { browserName } from "../security/browser-name.ts";

/** Form to create an account with a passkey and without an email address. */
export function PasskeySignUp({
  onSignedIn,
  onBack,
}: {
  readonly onSignedIn: (signedIn: SignedInFragment) => void;
  readonly onBack: () => void;
}) {
  const [displayName, setDisplayName] = useState("");
  const [passkeyFailure, setPasskeyFailure] = useState<Failure | null>(null);
  const start = useOperation(StartPasskeySignUpDocument);
  const complete = useOperation(CompletePasskeySignUpDocument);

  async function signUp(event: FormEvent) {
    event.preventDefault();
    setPasskeyFailure(null);
    complete.clear();
    const started = await start.run({ input: { displayName } });
    if (!started.value) return;
    const { attemptId, options } = started.value;
    const { response, failure } = await createPasskey(options);
    if (!response) return setPasskeyFailure(failure);
    const name = browserName(navigator.userAgent);
    const { value } = await complete.run({ input: { attemptId, name, response } });
    if (value) onSignedIn(value);
  }

  const atField = failureAt(start.failure, "displayName");
  return (
    <form onSubmit={(event) => void signUp(event)} className="grid gap-4">
      <p>
        The passkey is stored on your device and replaces a password. Add an email address later to recover the account
        if you lose the device.
      </p>
      <TextField
        label="Display name"
        name="displayName"
        required
        autoFocus
        maxLength={100}
        autoComplete="name"
        value={displayName}
        onChange={({ target }) => setDisplayName(target.value)}
        error={atField}
      />
      <Button type="submit" look="primary" isBusy={start.isRunning || complete.isRunning}>
        Create account with passkey
      </Button>
      <FailureNotice failure={atField ? null : (passkeyFailure ?? complete.failure ?? start.failure)} />
      <p>
        <Button look="quiet" size="small" onClick={onBack}>
          Back to sign in
        </Button>
      </p>
    </form>
  );
}
