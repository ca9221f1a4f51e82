import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Actions, Dialog } from "../../components/dialog.tsx";
import { InFlightList } from "../../components/in-flight-table.tsx";
import { Fact, Facts } from "../../components/list.tsx";
import { Money } from "../../components/money.tsx";
import { Network } from "../../components/network.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { Time } from "../../components/time.tsx";
import {
  type AdministeredAccountDetailsFragment,
  AdministeredAccountDocument,
  type CredentialKind,
  InFlightOperationsDocument,
} from "../../generated/graphql.ts";
import { useReading } from "../../graphql/use-reading.ts";
import { AccountActs } from "./account-acts.tsx";

interface Props {
  readonly accountId: string;
  readonly onClose: () => void;
  /** Called after an act, which changes the lists of the page. */
  readonly onActed: () => void;
}

/** State of an account without secrets, with the acts that freeze it, end its access or recover its mailbox. */
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
          {account.frozenAt && <InFlight key={account.frozenAt} accountId={account.accountId} />}
          <AccountActs account={account} onActed={finish} />
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
      <Fact name="Status">
        <FreezeStatus account={account} />
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
        <Fact key={network} name={<Network name={network} />}>
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

function FreezeStatus({
  account: { frozenAt, frozenBy, freezeReason },
}: {
  readonly account: AdministeredAccountDetailsFragment;
}) {
  if (!frozenAt) return <Badge tone="good">Not frozen</Badge>;
  return (
    <>
      <Badge tone="bad">Frozen by {frozenBy === "OWNER" ? "its owner" : "an administrator"}</Badge>
      <span className="block text-small wrap-anywhere">
        <Time at={frozenAt} />
        {freezeReason && `: ${freezeReason}`}
      </span>
    </>
  );
}

/** Operations that the freeze does not recall. */
function InFlight({ accountId }: { readonly accountId: string }) {
  const { shown, failure, again } = useReading(
    { query: InFlightOperationsDocument, variables: { accountId } },
    ({ inFlightOperations }) => inFlightOperations ?? undefined,
  );
  return (
    <div className="mt-4">
      <FailureNotice failure={failure} onRetry={again} />
      {shown && (
        <details>
          <summary className="text-leather">Operations in flight ({shown.length})</summary>
          <InFlightList operations={shown} />
        </details>
      )}
    </div>
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
