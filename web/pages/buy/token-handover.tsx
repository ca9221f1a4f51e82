import { useCallback } from "react";
import { useQuery } from "urql";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Actions } from "../../components/dialog.tsx";
import { Fact, Facts } from "../../components/list.tsx";
import { Money } from "../../components/money.tsx";
import { Network } from "../../components/network.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { OneTimeSecret } from "../../components/one-time-secret.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { Section } from "../../components/section.tsx";
import { Verbatim } from "../../components/verbatim.tsx";
import {
  type BoughtTokenFragment,
  PurchaseTokenDocument,
  RevokePurchaseTokenDocument,
} from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { Countdown } from "./countdown.tsx";
import type { Created } from "./outcome.ts";
import { Payment } from "./receipt.tsx";
import { useRefreshed } from "./use-refreshed.ts";

/** The purchase token, shown once while it is valid, then its outcome. */
export function TokenHandover({ created, onAgain }: { readonly created: Created; readonly onAgain: () => void }) {
  const { id } = created.purchaseToken;
  const [{ data }, refresh] = useQuery({
    query: PurchaseTokenDocument,
    variables: { id },
    requestPolicy: "network-only",
  });
  const token = data?.node?.__typename === "PurchaseToken" ? data.node : created.purchaseToken;
  const again = useCallback(() => refresh({ requestPolicy: "network-only" }), [refresh]);
  useRefreshed(again, token.status !== "UNUSED");
  return (
    <>
      <PageTitle>{TITLES[token.status]}</PageTitle>
      {token.status === "UNUSED" ? (
        <UnusedToken token={token} secret={created.token} onExpired={again} />
      ) : (
        <div role="status" className="mt-2">
          {token.status === "EXPIRED" && <p>The token expired after five minutes. No payment was made.</p>}
          {token.status === "REVOKED" && <p>You revoked the token before it was used. No payment was made.</p>}
          {token.transaction && <Payment first={token.transaction} merchantUrl={token.merchantUrl} />}
        </div>
      )}
      {token.status !== "UNUSED" && (
        <Actions>
          <Button onClick={onAgain}>New payment</Button>
        </Actions>
      )}
    </>
  );
}

const TITLES: Readonly<Record<BoughtTokenFragment["status"], string>> = {
  UNUSED: "Purchase token created",
  CONSUMED: "Token used",
  EXPIRED: "Token expired",
  REVOKED: "Token revoked",
};

function UnusedToken({
  token,
  secret,
  onExpired,
}: {
  readonly token: BoughtTokenFragment;
  readonly secret: string;
  readonly onExpired: () => void;
}) {
  const revoke = useOperation(RevokePurchaseTokenDocument);
  const command = commandFor(token.merchantUrl, secret);
  return (
    <>
      <div className="mt-4">
        <OneTimeSecret secret={secret} what="the token" />
      </div>
      <div className="mt-4">
        <Facts>
          <Fact name="Expires in">
            <Countdown until={token.expiresAt} onExpired={onExpired} />
          </Fact>
          <Fact name="Maximum amount">
            <Money amount={token.maxAmountUsd} size="lead" />
          </Fact>
          <Fact name="To">
            <span className="font-mono text-small break-all">{token.merchantUrl}</span>
          </Fact>
          <Fact name="Network">
            <Network name={token.network} />
          </Fact>
        </Facts>
      </div>
      <div className="mt-4 grid gap-3">
        <FailureNotice failure={revoke.failure} />
        <Button
          look="danger"
          isBusy={revoke.isRunning}
          onClick={() => void revoke.run({ id: token.id }).then(onExpired)}
        >
          Revoke token
        </Button>
        <p className="text-center text-small text-muted">
          The token is valid for one payment. This page shows the payment when it is made.
        </p>
      </div>
      <Section title="Usage" aside={<CopyButton text={command} what="the command" />}>
        <Verbatim label="Command" text={command.replace(secret, "<token>")} />
      </Section>
    </>
  );
}

function commandFor(merchantUrl: string, secret: string): string {
  const url = `${location.origin}/api/x402/fetch?url=${encodeURIComponent(merchantUrl)}`;
  return `curl -X POST '${url.replaceAll("'", "%27")}' \\\n  -H 'X-Service-Token: ${secret}'`;
}
