import { useCallback, useEffect, useState } from "react";
import {
  CompletePasskeySignInDocument,
  type SignedInFragment,
  StartPasskeySignInDocument,
} from "../../generated/graphql.ts";
import type { Failure } from "../../graphql/match-result.ts";
import { askForPasskey, canAutofillPasskeys } from "../../graphql/passkeys.ts";
import { useOperation } from "../../graphql/use-operation.ts";

/** Signs in with a passkey: when asked to, and beside the address field as soon as it is there. */
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
      const { response, failure: refusal } = await askForPasskey(options, isAutofill);
      if (!response) return refusal;
      const { value, error } = await complete({ input: { attemptId, response } });
      if (value) onSignedIn(value);
      return error;
    },
    [start, complete, onSignedIn],
  );

  // Nobody asked for it, so nobody is told why it did not come about.
  useEffect(() => {
    if (!isOffered) return;
    let isGone = false;
    void canAutofillPasskeys().then((can) => {
      if (can && !isGone) void signIn(true);
    });
    return () => {
      isGone = true;
    };
  }, [isOffered, signIn]);

  async function run() {
    setIsRunning(true);
    setFailure(await signIn(false));
    setIsRunning(false);
  }
  return { run, isRunning, failure };
}
