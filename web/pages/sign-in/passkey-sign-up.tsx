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
import { makePasskey } from "../../graphql/passkeys.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { browserName } from "../security/browser-name.ts";

/** An account that a passkey opens, and no address. */
export function PasskeySignUp({
  onSignedIn,
  onBack,
}: {
  readonly onSignedIn: (signedIn: SignedInFragment) => void;
  readonly onBack: () => void;
}) {
  const [displayName, setDisplayName] = useState("");
  const [refusal, setRefusal] = useState<Failure | null>(null);
  const start = useOperation(StartPasskeySignUpDocument);
  const complete = useOperation(CompletePasskeySignUpDocument);

  async function open(event: FormEvent) {
    event.preventDefault();
    setRefusal(null);
    complete.clear();
    const started = await start.run({ input: { displayName } });
    if (!started.value) return;
    const { attemptId, options } = started.value;
    const { response, failure } = await makePasskey(options);
    if (!response) return setRefusal(failure);
    const name = browserName(navigator.userAgent);
    const { value } = await complete.run({ input: { attemptId, name, response } });
    if (value) onSignedIn(value);
  }

  const atField = failureAt(start.failure, "displayName");
  return (
    <form onSubmit={(event) => void open(event)} className="grid gap-4">
      <p>
        Your device keeps the passkey. There is no password, and nothing to remember; add an e-mail address later, in
        case the device is lost.
      </p>
      <TextField
        label="What should we call you?"
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
        Make a passkey and open the account
      </Button>
      <FailureNotice failure={atField ? null : (refusal ?? complete.failure ?? start.failure)} />
      <p>
        <Button look="quiet" size="small" onClick={onBack}>
          Back to signing in
        </Button>
      </p>
    </form>
  );
}
