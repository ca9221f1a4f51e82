import { useCallback, useState } from "react";
import { PATHS } from "../../app/paths.ts";
import { Dialog } from "../../components/dialog.tsx";
import type { Failure } from "../../graphql/match-result.ts";
import { SignInPanel } from "../sign-in/sign-in-panel.tsx";

interface Owner {
  readonly id: string;
  readonly email: string | null;
}

/** Whether a failure says that the person has to prove again who they are. */
export const needsProof = (failure: Failure | null) => failure?.code === "reauthentication_required";

/** Asks who it is before what was refused is tried again. */
function ProofDialog({
  account,
  onProven,
  onClose,
}: {
  readonly account: Owner;
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
      <SignInPanel
        isProof
        email={account.email}
        returnTo={PATHS.security}
        // Whoever signed in as somebody else sees that account before anything is changed in it.
        onSignedIn={({ viewer }) => (viewer.account.id === account.id ? onProven() : location.reload())}
      />
    </Dialog>
  );
}

/** Holds what was refused for want of a recent proof, until there is one. */
export function useProof(account: Owner) {
  const [pending, setPending] = useState<(() => void) | null>(null);
  const ask = useCallback((again: () => void) => setPending(() => again), []);
  const dialog = pending && (
    <ProofDialog
      account={account}
      onClose={() => setPending(null)}
      onProven={() => {
        setPending(null);
        pending();
      }}
    />
  );
  return { ask, dialog };
}
