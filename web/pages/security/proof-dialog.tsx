import { useCallback, useState } from "react";
import { Dialog } from "../../components/dialog.tsx";
import type { Failure } from "../../graphql/match-result.ts";
import { SignInPanel } from "../sign-in/sign-in-panel.tsx";

interface Owner {
  readonly id: string;
  readonly email: string | null;
}

/** Returns true if the failure requires a recent sign-in. */
export const needsProof = (failure: Failure | null) => failure?.code === "REAUTHENTICATION_REQUIRED";

/** Dialog to sign in again before a rejected operation is retried. */
function ProofDialog({
  account,
  reason,
  isPasskeyOnly,
  onProven,
  onClose,
}: {
  readonly account: Owner;
  readonly reason: string;
  readonly isPasskeyOnly: boolean;
  readonly onProven: () => void;
  readonly onClose: () => void;
}) {
  return (
    <Dialog isOpen title="Sign in again" description={`To continue, sign in again: ${reason}.`} onClose={onClose}>
      <SignInPanel
        isProof
        isPasskeyOnly={isPasskeyOnly}
        email={account.email}
        returnTo={location.pathname + location.search}
        // If the user signed in to another account, the page reloads to show that account before any change.
        onSignedIn={({ viewer }) => (viewer.account.id === account.id ? onProven() : location.reload())}
      />
    </Dialog>
  );
}

/**
 * Stores an operation that was rejected for lack of a recent sign-in, and retries it after one.
 * @param reason why a recent sign-in is required, as the end of a sentence
 * @param options.isPasskeyOnly whether only a sign-in with a passkey counts
 */
export function useProof(
  account: Owner,
  reason = "changes to sign-in methods require a recent sign-in",
  { isPasskeyOnly = false } = {},
) {
  const [pending, setPending] = useState<(() => void) | null>(null);
  const requestProof = useCallback((retry: () => void) => setPending(() => retry), []);
  const dialog = pending && (
    <ProofDialog
      account={account}
      reason={reason}
      isPasskeyOnly={isPasskeyOnly}
      onClose={() => setPending(null)}
      onProven={() => {
        setPending(null);
        pending();
      }}
    />
  );
  return { request: requestProof, dialog };
}
