import { useState } from "react";
import { useToast } from "../../components/toasts.tsx";
import { CompletePasskeyRegistrationDocument, StartPasskeyRegistrationDocument } from "../../generated/graphql.ts";
import type { Failure } from "../../graphql/match-result.ts";
import { createPasskey } from "../../graphql/passkeys.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { browserName } from "./browser-name.ts";
import { needsProof } from "./proof-dialog.tsx";

/** Returns an operation that adds a passkey of this device to the account. */
export function useAddPasskey(requestProof: (retry: () => void) => void, onAdded: () => void) {
  const start = useOperation(StartPasskeyRegistrationDocument);
  const complete = useOperation(CompletePasskeyRegistrationDocument);
  const [passkeyFailure, setPasskeyFailure] = useState<Failure | null>(null);
  const toast = useToast();
  async function run() {
    setPasskeyFailure(null);
    complete.clear();
    const { value, error } = await start.run({});
    if (!value) {
      if (needsProof(error)) requestProof(() => void run());
      return;
    }
    const { response, failure } = await createPasskey(value.options);
    if (!response) return setPasskeyFailure(failure);
    const name = browserName(navigator.userAgent);
    const added = await complete.run({ input: { attemptId: value.attemptId, name, response } });
    if (!added.value) return;
    toast(`Passkey “${added.value.passkey.name}” added.`);
    onAdded();
  }
  const failure = needsProof(start.failure) ? null : start.failure;
  return {
    run,
    isRunning: start.isRunning || complete.isRunning,
    failure: passkeyFailure ?? complete.failure ?? failure,
  };
}
