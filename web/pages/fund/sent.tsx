import { useCallback } from "react";
import { useQuery } from "urql";
import { TransactionStatusBadge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Hash } from "../../components/hash.tsx";
import { Fact, Facts } from "../../components/list.tsx";
import { Money } from "../../components/money.tsx";
import { Network } from "../../components/network.tsx";
import { SentTransferDocument, type SentTransferFragment } from "../../generated/graphql.ts";
import { useRefreshed } from "../buy/use-refreshed.ts";

export type SentTransfer = SentTransferFragment;

const isFinal = ({ status }: SentTransfer) => status !== "RESERVED" && status !== "SIGNED";

/** A sent transfer with live status until it settles. */
export function Sent({
  first,
  onBalancesChanged,
  onAgain,
}: {
  /** The transfer at the time of sending. */
  readonly first: SentTransfer;
  readonly onBalancesChanged: () => void;
  readonly onAgain: () => void;
}) {
  const [{ data }, refresh] = useQuery({
    query: SentTransferDocument,
    variables: { id: first.id },
    pause: isFinal(first),
    requestPolicy: "network-only",
  });
  const transfer = data?.node?.__typename === "Transaction" ? data.node : first;
  const again = useCallback(() => {
    refresh({ requestPolicy: "network-only" });
    onBalancesChanged();
  }, [refresh, onBalancesChanged]);
  useRefreshed(again, isFinal(transfer));
  return (
    <div className="mt-6 max-w-xl">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6" aria-live="polite">
        <Money amount={transfer.amount.amount} currency={transfer.amount.symbol} size="display" />
        <TransactionStatusBadge status={transfer.status} />
      </div>
      {transfer.failureReason && <p className="text-small text-muted">{transfer.failureReason}</p>}
      <div className="mt-4">
        <Facts>
          <Fact name="To">
            <Hash value={transfer.payTo ?? ""} what="the recipient address" isWhole />
          </Fact>
          <Fact name="Network">
            <Network name={transfer.network ?? ""} />
          </Fact>
          <Fact name="Transaction hash">
            {transfer.txHash ? (
              <Hash value={transfer.txHash} what="the transaction hash" explorerUrl={transfer.explorerUrl ?? null} />
            ) : (
              <span className="text-muted">{isFinal(transfer) ? "Not submitted" : "Pending"}</span>
            )}
          </Fact>
          <Fact name="Transaction ID">
            <Hash value={transfer.transactionId} what="the transaction ID" />
          </Fact>
        </Facts>
      </div>
      <Button className="mt-6" onClick={onAgain}>
        New transfer
      </Button>
    </div>
  );
}
