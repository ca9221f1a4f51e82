import { useState } from "react";
import { useToast } from "../../components/toasts.tsx";
import { CompletePasskeyRegistrationDocument, StartPasskeyRegistrationDocument } from "../../generated/graphql.ts";
import type { Failure } from "../../graphql/match-result.ts";
import { makePasskey } from "../../graphql/passkeys.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { browserName } from "./browser-name.ts";
import { needsProof } from "./proof-dialog.tsx";

/** Adds a passkey of this device to the account. */
export function useAddPasskey(askForProof: (again: () => void) => void, onAdded: () => void) {
  const start = useOperation(StartPasskeyRegistrationDocument);
  const complete = useOperation(CompletePasskeyRegistrationDocument);
  const [refusal, setRefusal] = useState<Failure | null>(null);
  const toast = useToast();
  async function run() {
    setRefusal(null);
    complete.clear();
    const { value, error } = await start.run({});
    if (!value) {
      if (needsProof(error)) askForProof(() => void run());
      return;
    }
    const { response, failure } = await makePasskey(value.options);
    if (!response) return setRefusal(failure);
    const name = browserName(navigator.userAgent);
    const added = await complete.run({ input: { attemptId: value.attemptId, name, response } });
    if (!added.value) return;
    toast(`Added the passkey “${added.value.passkey.name}”.`);
    onAdded();
  }
  const failure = needsProof(start.failure) ? null : start.failure;
  return { run, isRunning: start.isRunning || complete.isRunning, failure: refusal ?? complete.failure ?? failure };
}
