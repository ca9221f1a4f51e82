import { useState } from "react";
import { useQuery } from "urql";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { SelectField } from "../../components/field.tsx";
import { Money } from "../../components/money.tsx";
import { FailureNotice, Notice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { QrCode } from "../../components/qr-code.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { FundDocument } from "../../generated/graphql.ts";
import { isSignedOut } from "../../graphql/client.ts";
import { transportFailure } from "../../graphql/use-operation.ts";

/** Where to send USDC, on which network. */
export default function FundPage() {
  const [{ data, error, fetching, stale }, refresh] = useQuery({
    query: FundDocument,
    requestPolicy: "cache-and-network",
  });
  const [chosen, setChosen] = useState<string | null>(null);
  const balances = data?.viewer?.wallet.balances;
  const balance = balances?.find(({ network }) => network === chosen) ?? balances?.[0];
  const failure = error && !balances && !isSignedOut(error) ? transportFailure(error) : null;
  const again = () => refresh({ requestPolicy: "network-only" });
  return (
    <>
      <PageTitle>Fund the wallet</PageTitle>
      <p className="mt-1 max-w-[72ch] text-muted">
        Send USDC to your address. It is yours alone: what arrives there pays once your free credit is used up.
      </p>
      <FailureNotice failure={failure} onRetry={again} />
      {!failure && (
        <div className="mt-6 grid gap-8 sm:grid-cols-[auto_minmax(0,1fr)]">
          <div className="rounded-lg border border-line p-3 max-sm:justify-self-center sm:self-start">
            {balance ? (
              <QrCode text={balance.address} label={`QR code of your address on ${balance.network}`} />
            ) : (
              <Skeleton className="size-48" />
            )}
          </div>
          <div className="grid min-w-0 content-start gap-5">
            <div className="max-w-xs">
              <SelectField
                label="Network"
                value={balance?.network ?? ""}
                onChange={({ target }) => setChosen(target.value)}
                disabled={!balances}
              >
                {balances?.map(({ network }) => (
                  <option key={network}>{network}</option>
                ))}
              </SelectField>
            </div>
            <div>
              <p className="font-medium">Your address{balance && ` on ${balance.network}`}</p>
              {balance ? (
                <p className="mt-1 flex flex-wrap items-center gap-3">
                  <span className="min-w-0 font-mono break-all">{balance.address}</span>
                  <CopyButton text={balance.address} what="the address" look="button" />
                </p>
              ) : (
                <Skeleton className="mt-1 h-6 w-full" />
              )}
            </div>
            <Notice tone="caution">
              Send USDC on {balance?.network ?? "this network"} only. Other coins, and USDC sent on a network that is
              not in the list, do not arrive here.
            </Notice>
            <div className="flex flex-wrap items-center justify-between gap-4 border-t border-line pt-4">
              <p aria-live="polite">
                <span className="text-muted">There now: </span>
                {balance?.usdc ? (
                  <Money amount={balance.usdc.amount} currency={balance.usdc.symbol} size="lead" />
                ) : balance ? (
                  <span className="text-caution">its nodes do not answer right now</span>
                ) : (
                  <Skeleton className="h-6 w-24" />
                )}
              </p>
              <Button size="small" isBusy={fetching || stale} onClick={again}>
                Look again
              </Button>
            </div>
          </div>
        </div>
      )}
    </>
  );
}
