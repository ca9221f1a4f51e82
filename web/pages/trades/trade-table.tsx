import { Badge } from "../../components/badge.tsx";
import { Hash } from "../../components/hash.tsx";
import { Cell, Row, Table } from "../../components/list.tsx";
import { Money } from "../../components/money.tsx";
import { Network } from "../../components/network.tsx";
import { Time } from "../../components/time.tsx";
import type { TradeRowFragment } from "../../generated/graphql.ts";
import { symbolText } from "./symbol-text.ts";

const COLUMNS = ["Date", "Sold", "Network", "Status", "Bought"];

export const STATUSES = {
  PENDING: { tone: "caution", text: "Preparing" },
  APPROVING: { tone: "caution", text: "Approving token" },
  SUBMITTED: { tone: "caution", text: "Submitted" },
  SETTLED: { tone: "good", text: "Settled" },
  FAILED: { tone: "bad", text: "Failed" },
} as const;

export function TradeTable({
  rows,
  isStale,
}: {
  readonly rows: readonly TradeRowFragment[];
  readonly isStale: boolean;
}) {
  return (
    <div aria-busy={isStale}>
      <Table caption="Trades, newest first" columns={COLUMNS}>
        {rows.map((row) => (
          <TradeEntry key={row.id} row={row} />
        ))}
      </Table>
    </div>
  );
}

function TradeEntry({ row }: { readonly row: TradeRowFragment }) {
  const { createdAt, network, status, sold, txHash, explorerUrl, failureReason } = row;
  const { tone, text } = STATUSES[status];
  return (
    <Row className="max-md:grid-cols-[minmax(0,1fr)_auto]">
      <Cell className="max-md:order-5 max-md:text-right max-md:text-small md:w-40">
        <Time at={createdAt} withDate />
      </Cell>
      <Cell label="Sold" className="max-md:col-span-2">
        <Money amount={sold.amount} currency={symbolText(sold)} className="font-semibold" />
      </Cell>
      <Cell label="Network" className="max-md:order-3 max-md:col-span-2">
        <span>
          <Network name={network} />
        </span>
      </Cell>
      <Cell className="max-md:order-4">
        <Badge tone={tone}>{text}</Badge>
        {failureReason && <span className="block text-small text-muted">{failureReason}</span>}
        {txHash && (
          <span className="block">
            <Hash value={txHash} what="the transaction hash" explorerUrl={explorerUrl} />
          </span>
        )}
      </Cell>
      <Cell label="Bought" className="max-md:order-2 max-md:col-span-2">
        <Bought row={row} />
      </Cell>
    </Row>
  );
}

/** Amount received. Until the trade settles, the quoted amount and the accepted minimum. */
function Bought({ row }: { readonly row: TradeRowFragment }) {
  const { status, bought, quoted, minBought } = row;
  const currency = symbolText(quoted);
  if (bought) return <Money amount={bought.amount} currency={currency} className="font-semibold" />;
  if (status === "FAILED") return <span className="text-muted">–</span>;
  return (
    <span className="text-right">
      <span className="text-muted">about </span>
      <Money amount={quoted.amount} currency={currency} />
      <span className="block text-small text-muted">
        at least <Money amount={minBought.amount} currency={currency} />
      </span>
    </span>
  );
}
