import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { SelectField } from "../../components/field.tsx";
import { Money } from "../../components/money.tsx";
import { Notice } from "../../components/notice.tsx";
import { QrCode } from "../../components/qr-code.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import type { FundQuery } from "../../generated/graphql.ts";

type Balances = NonNullable<FundQuery["viewer"]>["wallet"]["balances"];

/** Wallet address on a network as text and QR code, with the balance. */
export function Receive({
  balances,
  network,
  isRefreshing,
  onNetwork,
  onRefresh,
}: {
  readonly balances: Balances | undefined;
  readonly network: string | undefined;
  readonly isRefreshing: boolean;
  readonly onNetwork: (network: string) => void;
  readonly onRefresh: () => void;
}) {
  const balance = balances?.find((candidate) => candidate.network === network);
  return (
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
            onChange={({ currentTarget }) => onNetwork(currentTarget.value)}
            disabled={!balances}
          >
            {balances?.map(({ network: name }) => (
              <option key={name}>{name}</option>
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
          Send only USDC on {balance?.network ?? "this network"}. Other tokens, and USDC on networks that are not
          listed, will not arrive.
        </Notice>
        <div className="flex flex-wrap items-center justify-between gap-4 border-t border-line pt-4">
          <p aria-live="polite">
            <span className="text-muted">Balance: </span>
            {balance?.usdc ? (
              <Money amount={balance.usdc.amount} currency={balance.usdc.symbol} size="lead" />
            ) : balance ? (
              <span className="text-caution">network unavailable</span>
            ) : (
              <Skeleton className="h-6 w-24" />
            )}
          </p>
          <Button size="small" isBusy={isRefreshing} onClick={onRefresh}>
            Refresh
          </Button>
        </div>
      </div>
    </div>
  );
}
