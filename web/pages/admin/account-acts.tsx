import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { TextArea, TextField } from "../../components/field.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { DateTime } from "../../components/time.tsx";
import { useToast } from "../../components/toasts.tsx";
import {
  type AdministeredAccountDetailsFragment,
  CancelAccountRecoveryDocument,
  EndAccountSessionsDocument,
  FreezeAccountDocument,
  RevokeAccountCredentialsDocument,
  StartAccountRecoveryDocument,
  UnfreezeAccountDocument,
} from "../../generated/graphql.ts";
import { failureAt } from "../../graphql/match-result.ts";
import { useAct } from "./use-act.tsx";

const CONFIRMATIONS = {
  freeze: {
    title: "Freeze this account?",
    description: "It cannot pay, sign, order, send email or be signed in to until an administrator ends the freeze.",
    confirmText: "Freeze account",
  },
  end: {
    title: "End all sessions of this account?",
    description: "The owner is signed out everywhere. API tokens and connected apps remain valid.",
    confirmText: "End sessions",
  },
  revoke: {
    title: "Revoke all tokens of this account?",
    description:
      "API tokens, purchase tokens and connected apps stop working, and the owner has to create them again. Signed payments remain valid.",
    confirmText: "Revoke tokens",
  },
} as const;

/** Acts on an account. Each needs the reason. */
export function AccountActs({
  account,
  onActed,
}: {
  readonly account: AdministeredAccountDetailsFragment;
  readonly onActed: () => void;
}) {
  const { accountId, frozenBy, pendingRecovery } = account;
  const [reason, setReason] = useState("");
  const [email, setEmail] = useState("");
  const [confirming, setConfirming] = useState<keyof typeof CONFIRMATIONS | null>(null);
  const toast = useToast();
  const finish = (text: string) => {
    setReason("");
    toast(text);
    onActed();
  };
  const freeze = useAct(FreezeAccountDocument, () => finish("The account was frozen."));
  const unfreeze = useAct(UnfreezeAccountDocument, () => finish("The account was unfrozen."));
  const end = useAct(EndAccountSessionsDocument, ({ endedCount }) => finish(`Sessions ended: ${endedCount}.`));
  const revoke = useAct(RevokeAccountCredentialsDocument, () => finish("Tokens and connected apps revoked."));
  const recover = useAct(StartAccountRecoveryDocument, () => finish("Recovery started. Both addresses are notified."));
  const cancel = useAct(CancelAccountRecoveryDocument, () => finish("Recovery cancelled."));
  const acts = [freeze, unfreeze, end, revoke, recover, cancel];
  const failure = acts.map((act) => act.failure).find(Boolean) ?? null;
  const isRunning = acts.some((act) => act.isRunning);
  /** Runs an act, without the failure of the one before. */
  function run<Input>(act: { run(variables: { input: Input }): Promise<void> }, input: Input) {
    for (const { clear } of acts) clear();
    void act.run({ input });
  }
  function runConfirmed() {
    setConfirming(null);
    if (confirming === "freeze") run(freeze, { accountId, reason });
    else if (confirming === "end") run(end, { accountId, reason });
    else run(revoke, { accountId, reason, kinds: ["API_TOKENS", "OAUTH_GRANTS", "PURCHASE_TOKENS"] });
  }
  const shown = (failureAt(failure, "reason") ?? failureAt(failure, "email")) ? null : failure;
  return (
    <div className="mt-5 grid gap-3 border-t border-line pt-4">
      <TextArea
        label="Reason"
        hint="Recorded with the act."
        maxLength={1_000}
        error={failureAt(failure, "reason")}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <p className="text-small text-muted">
        {frozenBy === "OWNER" && "The owner stopped this account, and can sign in and resume it with a passkey. "}A
        freeze by an administrator stops payments, signatures, trades, orders, outgoing email and sign-in. Only an
        administrator can end it.
      </p>
      <div className="flex flex-wrap gap-2">
        {frozenBy !== "ADMINISTRATOR" && (
          <Button look="danger" isBusy={isRunning} onClick={() => setConfirming("freeze")}>
            Freeze account
          </Button>
        )}
        {frozenBy && (
          <Button isBusy={isRunning} onClick={() => run(unfreeze, { accountId, reason })}>
            Unfreeze account
          </Button>
        )}
        <Button look="danger" isBusy={isRunning} onClick={() => setConfirming("end")}>
          End all sessions
        </Button>
        <Button look="danger" isBusy={isRunning} onClick={() => setConfirming("revoke")}>
          Revoke all tokens
        </Button>
      </div>
      {pendingRecovery ? (
        <div>
          <p>
            The email address changes to {pendingRecovery.newEmail} on <DateTime at={pendingRecovery.effectiveAt} />
            {pendingRecovery.confirmedAt ? "." : ", if it is confirmed."}
          </p>
          <Button
            className="mt-2"
            isBusy={isRunning}
            onClick={() => run(cancel, { recoveryId: pendingRecovery.recoveryId, reason })}
          >
            Cancel recovery
          </Button>
        </div>
      ) : (
        <TextField
          label="New email address"
          hint="For an owner who lost the mailbox. The change takes effect after the waiting period."
          type="email"
          error={failureAt(failure, "email")}
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          aside={
            <Button isBusy={isRunning} onClick={() => run(recover, { accountId, email, reason })}>
              Recover
            </Button>
          }
        />
      )}
      <FailureNotice failure={shown} />
      <ConfirmDialog
        {...CONFIRMATIONS[confirming ?? "freeze"]}
        isOpen={confirming !== null}
        onClose={() => setConfirming(null)}
        onConfirm={runConfirmed}
      />
      {acts.map((act) => act.proof)}
    </div>
  );
}
