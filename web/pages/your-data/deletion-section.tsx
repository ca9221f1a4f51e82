import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Network } from "../../components/network.tsx";
import { FailureNotice, Notice } from "../../components/notice.tsx";
import { Section } from "../../components/section.tsx";
import { DateTime } from "../../components/time.tsx";
import { useToast } from "../../components/toasts.tsx";
import {
  type AccountDeletionStateFragment,
  CancelAccountDeletionDocument,
  RequestAccountDeletionDocument,
} from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { needsProof, useProof } from "../security/proof-dialog.tsx";

interface Balance {
  readonly network: string | null;
  readonly asset: string | null;
  readonly symbol: string;
  readonly amount: string;
  readonly atomic: string;
}

/** Request and cancellation of the account's deletion. */
export function DeletionSection({
  account,
  deletion,
  onChanged,
}: {
  readonly account: { readonly id: string; readonly email: string | null };
  readonly deletion: AccountDeletionStateFragment | null;
  readonly onChanged: () => void;
}) {
  const [isConfirming, setIsConfirming] = useState(false);
  const [balances, setBalances] = useState<readonly Balance[]>([]);
  const request = useOperation(RequestAccountDeletionDocument);
  const cancel = useOperation(CancelAccountDeletionDocument);
  const proof = useProof(account, "deleting your account requires a recent sign-in");
  const toast = useToast();

  async function requestDeletion() {
    const acknowledgedBalances = balances.flatMap(({ network, asset, atomic }) =>
      network === null || asset === null ? [] : [{ network, asset, amountAtomic: atomic }],
    );
    const { value, error } = await request.run({ input: { acknowledgedBalances } });
    if (value) {
      setIsConfirming(false);
      toast("Deletion scheduled.");
      onChanged();
    } else if (needsProof(error)) {
      proof.request(() => void requestDeletion());
    } else if ("balances" in error) {
      setBalances(error.balances);
    }
  }
  async function cancelDeletion() {
    const { value } = await cancel.run({});
    if (value) toast("Deletion cancelled. Your account remains.");
    onChanged();
  }

  if (deletion) {
    return (
      <Section title="Delete account">
        <Notice tone="caution" title="Your account is scheduled for deletion">
          <p>
            It will be deleted after <DateTime at={deletion.dueAt} />. Until then it makes no new payments.
            {deletion.waitingFor !== null && ` The deletion waits for ${deletion.waitingFor}.`}
          </p>
        </Notice>
        <div className="mt-4">
          <Button isBusy={cancel.isRunning} onClick={() => void cancelDeletion()}>
            Cancel deletion
          </Button>
        </div>
        <FailureNotice failure={cancel.failure} />
      </Section>
    );
  }
  const isRefusedForBalances = request.failure?.code === "BALANCES_REMAIN";
  return (
    <Section
      title="Delete account"
      hint="Your cards, orders, mail, tokens, apps and passkeys are erased, and the keys of your wallet. Records of payments remain without personal data. What is on a public chain remains there."
    >
      <Button look="danger" onClick={() => setIsConfirming(true)}>
        Delete account
      </Button>
      <ConfirmDialog
        title={balances.length > 0 ? "Give up the balances of your wallet?" : "Delete account?"}
        description={
          balances.length > 0
            ? "Your wallet has the balances below. They cannot be sent after the deletion. Otherwise cancel, and send them to another wallet."
            : "Payments stop now, and the deletion starts after a waiting period. You can cancel it until then. Export your data first if you need it."
        }
        confirmText={balances.length > 0 ? "Give up balances and delete" : "Delete account"}
        isOpen={isConfirming && !proof.dialog}
        isBusy={request.isRunning}
        onClose={() => {
          setIsConfirming(false);
          setBalances([]);
          request.clear();
        }}
        onConfirm={() => void requestDeletion()}
      >
        {balances.length > 0 && (
          <ul className="grid gap-1">
            {balances.map(({ network, asset, symbol, amount }) => (
              <li key={`${network} ${asset}`}>
                {amount} {symbol} on <Network name={network ?? ""} />
              </li>
            ))}
          </ul>
        )}
        <FailureNotice failure={isRefusedForBalances || needsProof(request.failure) ? null : request.failure} />
      </ConfirmDialog>
      {proof.dialog}
    </Section>
  );
}
