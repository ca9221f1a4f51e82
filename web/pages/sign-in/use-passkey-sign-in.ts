import { useCallback, useEffect, useState } from "react";
import {
  CompletePasskeySignInDocument,
  type SignedInFragment,
  StartPasskeySignInDocument,
} from "../../generated/graphql.ts";
import type { Failure } from "../../graphql/match-result.ts";
import { authenticateWithPasskey, canAutofillPasskeys } from "../../graphql/passkeys.ts";
import { useOperation } from "../../graphql/use-operation.ts";

/** Returns the passkey sign-in. It also runs as autofill of the email field while `isOffered`. */
export function usePasskeySignIn(onSignedIn: (signedIn: SignedInFragment) => void, isOffered: boolean) {
  const { run: start } = useOperation(StartPasskeySignInDocument);
  const { run: complete } = useOperation(CompletePasskeySignInDocument);
  const [isRunning, setIsRunning] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  const signIn = useCallback(
    async (isAutofill: boolean): Promise<Failure | null> => {
      const started = await start({});
      if (!started.value) return started.error;
      const { attemptId, options } = started.value;
      const { response, failure: passkeyFailure } = await authenticateWithPasskey(options, isAutofill);
      if (!response) return passkeyFailure;
      const { value, error } = await complete({ input: { attemptId, response } });
      if (value) onSignedIn(value);
      return error;
    },
    [start, complete, onSignedIn],
  );

  // The user did not start autofill, so its failures are not shown.
  useEffect(() => {
    if (!isOffered) return;
    let isUnmounted = false;
    void canAutofillPasskeys().then((can) => {
      if (can && !isUnmounted) void signIn(true);
    });
    return () => {
      isUnmounted = true;
    };
  }, [isOffered, signIn]);

  async function run() {
    setIsRunning(true);
    setFailure(await signIn(false));
    setIsRunning(false);
  }
  return { run, isRunning, failure };
}
