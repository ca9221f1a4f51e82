import { Money } from "../../components/money.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import type { OverviewQuery } from "../../generated/graphql.ts";

type Wallet = NonNullable<OverviewQuery["viewer"]>["wallet"];

/** Credit, which is used first, then the wallet balance on each network. */
export function Balances({ wallet }: { readonly wallet: Wallet | undefined }) {
  return (
    <div className="mt-6 grid overflow-hidden rounded-lg border border-line sm:grid-cols-2 lg:grid-cols-3">
      <BalanceCard name="Free credit" note="Pays if it covers the whole amount">
        {wallet ? <Money amount={wallet.creditUsd} size="display" /> : <Skeleton className="h-10 w-36" />}
      </BalanceCard>
      {wallet?.balances.map(({ network, usdc, native }) => (
        <BalanceCard
          key={network}
          name={network}
          note={
            native && native.atomic !== "0" ? (
              <>
                and <Money amount={native.amount} currency={native.symbol} />
              </>
            ) : (
              "USDC in your wallet"
            )
          }
        >
          {usdc ? (
            <Money amount={usdc.amount} currency={usdc.symbol} size="display" />
          ) : (
            <span className="text-caution">Network unavailable</span>
          )}
        </BalanceCard>
      )) ?? (
        <BalanceCard name="Wallet" note="USDC in your wallet">
          <Skeleton className="h-10 w-36" />
        </BalanceCard>
      )}
    </div>
  );
}

function BalanceCard({
  name,
  note,
  children,
}: {
  readonly name: string;
  readonly note: React.ReactNode;
  readonly children: React.ReactNode;
}) {
  return (
    <div className="-mr-px -mb-px border-r border-b border-line p-5">
      <p className="text-small text-muted">{name}</p>
      <p className="my-1 min-h-10">{children}</p>
      <p className="text-small text-muted">{note}</p>
    </div>
  );
}
