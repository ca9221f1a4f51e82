import { useCallback, useState } from "react";
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
  because,
  onProven,
  onClose,
}: {
  readonly account: Owner;
  readonly because: string;
  readonly onProven: () => void;
  readonly onClose: () => void;
}) {
  return (
    <Dialog
      isOpen
      title="Is it you?"
      description={`It is a while since you signed in, and ${because}.`}
      onClose={onClose}
    >
      <SignInPanel
        isProof
        email={account.email}
        returnTo={location.pathname + location.search}
        // Whoever signed in as somebody else sees that account before anything is changed in it.
        onSignedIn={({ viewer }) => (viewer.account.id === account.id ? onProven() : location.reload())}
      />
    </Dialog>
  );
}

/**
 * Holds what was refused for want of a recent proof, until there is one.
 * @param because ends a sentence: what it is that takes a proof
 */
export function useProof(account: Owner, because = "this changes the ways into your account") {
  const [pending, setPending] = useState<(() => void) | null>(null);
  const ask = useCallback((again: () => void) => setPending(() => again), []);
  const dialog = pending && (
    <ProofDialog
      account={account}
      because={because}
      onClose={() => setPending(null)}
      onProven={() => {
        setPending(null);
        pending();
      }}
    />
  );
  return { ask, dialog };
}
