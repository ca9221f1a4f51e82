import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { Actions, Dialog } from "../../components/dialog.tsx";
import { TextArea, TextField } from "../../components/field.tsx";
import { Fact, Facts } from "../../components/list.tsx";
import { Money } from "../../components/money.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { Time } from "../../components/time.tsx";
import { useToast } from "../../components/toasts.tsx";
import {
  type AdministeredAccountDetailsFragment,
  AdministeredAccountDocument,
  CancelAccountRecoveryDocument,
  type CredentialKind,
  EndAccountSessionsDocument,
  RevokeAccountCredentialsDocument,
  StartAccountRecoveryDocument,
} from "../../generated/graphql.ts";
import { failureAt } from "../../graphql/match-result.ts";
import { useReading } from "../../graphql/use-reading.ts";
import { useAct } from "./use-act.tsx";

interface Props {
  readonly accountId: string;
  readonly onClose: () => void;
  /** Called after an act, which changes the lists of the page. */
  readonly onActed: () => void;
}

/** State of an account without secrets, with the acts that end its access or recover its mailbox. */
export function AccountDialog({ accountId, onClose, onActed }: Props) {
  const reading = useReading(
    { query: AdministeredAccountDocument, variables: { id: accountId } },
    ({ administeredAccount }) => administeredAccount ?? undefined,
  );
  const { shown: account, failure, again } = reading;
  function finish() {
    again();
    onActed();
  }
  return (
    <Dialog title={account?.email ?? "Account"} isOpen onClose={onClose}>
      <FailureNotice failure={failure} onRetry={again} />
      {!account && !failure && <SkeletonRows count={6} />}
      {account && (
        <>
          <AccountFacts account={account} />
          <Credentials account={account} />
          <Acts account={account} onActed={finish} />
        </>
      )}
      <Actions>
        <Button onClick={onClose}>Close</Button>
      </Actions>
    </Dialog>
  );
}

function AccountFacts({ account }: { readonly account: AdministeredAccountDetailsFragment }) {
  const signIn = [
    account.email && "Email",
    account.passkeyCount > 0 && `${account.passkeyCount} ${account.passkeyCount === 1 ? "passkey" : "passkeys"}`,
    ...account.identityIssuers,
  ].filter(Boolean);
  const { day } = account.spending;
  return (
    <Facts>
      <Fact name="Account ID">
        <span className="font-mono text-small break-all">{account.accountId}</span>
      </Fact>
      <Fact name="Created">
        <Time at={account.createdAt} />
      </Fact>
      <Fact name="Sign-in methods">{signIn.join(", ") || "None"}</Fact>
      <Fact name="X402 payments">{account.x402Enabled ? "Enabled" : "Disabled"}</Fact>
      <Fact name="Spent today">
        <Money amount={day.settledUsd} />
        {day.limitUsd && (
          <>
            {" of "}
            <Money amount={day.limitUsd} />
          </>
        )}
      </Fact>
      <Fact name="Free credit">
        <Money amount={account.creditUsd} />
      </Fact>
      {account.balances.map(({ network, usdc, native }) => (
        <Fact key={network} name={network}>
          {usdc && native ? (
            <>
              <Money amount={usdc.amount} currency={usdc.symbol} />
              {", "}
              <Money amount={native.amount} currency={native.symbol} />
            </>
          ) : (
            "Network unavailable"
          )}
        </Fact>
      ))}
      <Fact name="EVM address">
        <span className="font-mono text-small break-all">{account.evmAddress}</span>
      </Fact>
      <Fact name="Solana address">
        <span className="font-mono text-small break-all">{account.solanaAddress}</span>
      </Fact>
      <Fact name="Mailbox">{account.mailboxAddress ?? "None"}</Fact>
      <Fact name="Agent">
        {account.agent ? [account.agent.status, account.agent.agentId].filter(Boolean).join(", ") : "None"}
      </Fact>
      <Fact name="Last event">
        {account.lastEvents[0] ? (
          <>
            {account.lastEvents[0].type} <Time at={account.lastEvents[0].createdAt} />
          </>
        ) : (
          "None"
        )}
      </Fact>
    </Facts>
  );
}

const KINDS: Readonly<Record<CredentialKind, string>> = {
  SESSION: "Session",
  API_TOKEN: "API token",
  OAUTH_GRANT: "Connected app",
  PURCHASE_TOKEN: "Purchase token",
};

function Credentials({ account: { credentials } }: { readonly account: AdministeredAccountDetailsFragment }) {
  return (
    <details className="mt-4">
      <summary className="text-leather">Active credentials ({credentials.length})</summary>
      <ul className="mt-2 text-small">
        {credentials.map(({ credentialId, kind, name }) => (
          <li key={credentialId} className="wrap-anywhere">
            {KINDS[kind]}: {name ?? credentialId}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Acts on the account. Each needs the reason. */
function Acts({
  account,
  onActed,
}: {
  readonly account: AdministeredAccountDetailsFragment;
  readonly onActed: () => void;
}) {
  const { accountId, pendingRecovery } = account;
  const [reason, setReason] = useState("");
  const [email, setEmail] = useState("");
  const toast = useToast();
  const finish = (text: string) => {
    toast(text);
    onActed();
  };
  const end = useAct(EndAccountSessionsDocument, ({ endedCount }) => finish(`Sessions ended: ${endedCount}.`));
  const revoke = useAct(RevokeAccountCredentialsDocument, () => finish("Tokens and connected apps revoked."));
  const recover = useAct(StartAccountRecoveryDocument, () => finish("Recovery started. Both addresses are notified."));
  const cancel = useAct(CancelAccountRecoveryDocument, () => finish("Recovery cancelled."));
  const acts = [end, revoke, recover, cancel];
  const failure = acts.map((act) => act.failure).find(Boolean) ?? null;
  const isRunning = acts.some((act) => act.isRunning);
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
      <div className="flex flex-wrap gap-2">
        <Button look="danger" isBusy={isRunning} onClick={() => void end.run({ input: { accountId, reason } })}>
          End all sessions
        </Button>
        <Button
          look="danger"
          isBusy={isRunning}
          onClick={() =>
            void revoke.run({
              input: { accountId, reason, kinds: ["API_TOKENS", "OAUTH_GRANTS", "PURCHASE_TOKENS"] },
            })
          }
        >
          Revoke all tokens
        </Button>
      </div>
      {pendingRecovery ? (
        <div>
          <p>
            The email address changes to {pendingRecovery.newEmail} on <Time at={pendingRecovery.effectiveAt} />
            {pendingRecovery.confirmedAt ? "." : ", if it is confirmed."}
          </p>
          <Button
            className="mt-2"
            isBusy={isRunning}
            onClick={() => void cancel.run({ input: { recoveryId: pendingRecovery.recoveryId, reason } })}
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
            <Button isBusy={isRunning} onClick={() => void recover.run({ input: { accountId, email, reason } })}>
              Recover
            </Button>
          }
        />
      )}
      <FailureNotice failure={shown} />
      {acts.map((act) => act.proof)}
    </div>
  );
}
