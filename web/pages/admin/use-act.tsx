import { createContext, useContext } from "react";
import type { TypedDocumentNode } from "urql";
import { type RunOutcome, useOperation } from "../../graphql/use-operation.ts";
import { needsProof, useProof } from "../security/proof-dialog.tsx";

/** The administrator's own account, which signs in again for an act. */
export const AdministratorContext = createContext<{ readonly id: string; readonly email: string | null } | null>(null);

/**
 * Runs an act of an administrator. If the last sign-in is too old, requires another one and then retries. Render `proof`.
 * @param onDone called after the act succeeded
 */
export function useAct<Data extends Record<string, unknown>, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Data, Variables>,
  onDone: (value: NonNullable<RunOutcome<Data>["value"]>) => void,
) {
  const account = useContext(AdministratorContext);
  const operation = useOperation(document);
  const proof = useProof(account ?? { id: "", email: null }, "acts of administrators require a recent sign-in");
  async function run(variables: Variables): Promise<void> {
    const { value, error } = await operation.run(variables);
    if (value) onDone(value as NonNullable<RunOutcome<Data>["value"]>);
    else if (needsProof(error as { code: string; message: string } | null)) proof.request(() => void run(variables));
  }
  const failure = needsProof(operation.failure) ? null : operation.failure;
  return { run, clear: operation.clear, isRunning: operation.isRunning, failure, proof: proof.dialog };
}
