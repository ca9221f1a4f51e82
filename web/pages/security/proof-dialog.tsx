import { useCallback, useState } from "react";
import { Dialog } from "../../components/dialog.tsx";
import type { Failure } from "../../graphql/match-result.ts";
import { SignInPanel } from "../sign-in/sign-in-panel.tsx";

/** Whether a failure says that the person has to prove again who they are. */
export const needsProof = (failure: Failure | null) => failure?.code === "reauthentication_required";

/** Asks who it is before what was refused is tried again. */
export function ProofDialog({
  email,
  onProven,
  onClose,
}: {
  readonly email: string | null;
  readonly onProven: () => void;
  readonly onClose: () => void;
}) {
  return (
    <Dialog
      isOpen
      title="Is it you?"
      description="It is a while since you signed in, and this changes the ways into your account."
      onClose={onClose}
    >
      <SignInPanel isProof email={email} returnTo="/dashboard/security" onSignedIn={onProven} />
    </Dialog>
  );
}

/** Holds what was refused for want of a recent proof, until there is one. */
export function useProof(email: string | null) {
  const [pending, setPending] = useState<(() => void) | null>(null);
  const ask = useCallback((again: () => void) => setPending(() => again), []);
  const dialog = pending && (
    <ProofDialog
      email={email}
      onClose={() => setPending(null)}
      onProven={() => {
        setPending(null);
        pending();
      }}
    />
  );
  return { ask, dialog };
}
