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

const isOver = ({ status }: SentTransfer) => status !== "reserved" && status !== "signed";

/** A transfer, followed until the network has it. */
export function Sent({
  first,
  onMoved,
  onAgain,
}: {
  /** As it stood when it was sent. */
  readonly first: SentTransfer;
  readonly onMoved: () => void;
  readonly onAgain: () => void;
}) {
  const [{ data }, refresh] = useQuery({
    query: SentTransferDocument,
    variables: { id: first.id },
    pause: isOver(first),
    requestPolicy: "network-only",
  });
  const transfer = data?.node?.__typename === "Transaction" ? data.node : first;
  const again = useCallback(() => {
    refresh({ requestPolicy: "network-only" });
    onMoved();
  }, [refresh, onMoved]);
  useRefreshed(again, isOver(transfer));
  return (
    <div className="mt-6 max-w-xl">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6" aria-live="polite">
        <Money amount={transfer.amount} currency="USDC" size="display" />
        <TransactionStatusBadge status={transfer.status} />
      </div>
      {transfer.failureReason && <p className="text-small text-muted">{transfer.failureReason}</p>}
      <div className="mt-4">
        <Facts>
          <Fact name="To">
            <Hash value={transfer.payTo ?? ""} what="the recipient’s address" isWhole />
          </Fact>
          <Fact name="Network">
            <Network name={transfer.network ?? ""} />
          </Fact>
          <Fact name="Transaction">
            {transfer.txHash ? (
              <Hash value={transfer.txHash} what="the transaction’s hash" explorerUrl={transfer.explorerUrl ?? null} />
            ) : (
              <span className="text-muted">{isOver(transfer) ? "Never taken" : "Not yet"}</span>
            )}
          </Fact>
          <Fact name="In the ledger">
            <Hash value={transfer.transactionId} what="the transfer’s id" />
          </Fact>
        </Facts>
      </div>
      <Button className="mt-6" onClick={onAgain}>
        Send something else
      </Button>
    </div>
  );
}
