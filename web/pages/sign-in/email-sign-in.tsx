import { type FormEvent, useState } from "react";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import {
  CompleteEmailSignInDocument,
  type SignedInFragment,
  StartEmailSignInDocument,
} from "../../generated/graphql.ts";
import { failureAt } from "../../graphql/match-result.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { CodeForm } from "./code-form.tsx";

/** Sign-in by email code in two steps: address, then code. A new address creates an account. */
export function EmailSignIn({
  email: initialEmail,
  returnTo,
  onSent,
  onSignedIn,
}: {
  readonly email: string;
  readonly returnTo: string;
  readonly onSent: (isSent: boolean) => void;
  readonly onSignedIn: (signedIn: SignedInFragment) => void;
}) {
  const [email, setEmail] = useState(initialEmail);
  const [attemptId, setAttemptId] = useState<string | null>(null);
  const start = useOperation(StartEmailSignInDocument);
  const complete = useOperation(CompleteEmailSignInDocument);

  async function send(event?: FormEvent) {
    event?.preventDefault();
    const { value } = await start.run({ input: { email, returnTo } });
    if (!value) return;
    complete.clear();
    setAttemptId(value.attemptId);
    onSent(true);
  }

  if (attemptId !== null) {
    return (
      <CodeForm
        email={email}
        isRunning={complete.isRunning}
        isSending={start.isRunning}
        failure={complete.failure ?? start.failure}
        submitText="Sign in"
        onSubmit={async (code) => {
          const { value } = await complete.run({ input: { attemptId, code } });
          if (value) onSignedIn(value);
        }}
        onResend={() => void send()}
        onBack={() => {
          setAttemptId(null);
          onSent(false);
        }}
      />
    );
  }
  const atField = failureAt(start.failure, "email");
  return (
    <form onSubmit={(event) => void send(event)} className="grid gap-4">
      <TextField
        label="Email address"
        type="email"
        name="email"
        required
        autoFocus
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        value={email}
        onChange={({ target }) => setEmail(target.value)}
        error={atField}
      />
      <Button type="submit" look="primary" isBusy={start.isRunning}>
        Send code
      </Button>
      <FailureNotice failure={atField ? null : start.failure} />
    </form>
  );
}
