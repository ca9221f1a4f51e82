import { TransactionStatusBadge } from "../../components/badge.tsx";
import { Hash } from "../../components/hash.tsx";
import { Cell, Row, Table } from "../../components/list.tsx";
import { Money } from "../../components/money.tsx";
import { Time } from "../../components/time.tsx";
import type { TransactionRowFragment, TransactionType } from "../../generated/graphql.ts";

export const KINDS: Readonly<Record<TransactionType, string>> = {
  X402: "X402 payment",
  TRANSFER: "Transfer",
  TRADE: "Trade",
  GATEWAY: "AI gateway",
  CREDIT: "Free credit",
  DEPOSIT: "Deposit",
};
const COLUMNS = ["Date", "Description", "Network", "Status", "Amount"];

export function TransactionTable({
  rows,
  isStale,
}: {
  readonly rows: readonly TransactionRowFragment[];
  readonly isStale: boolean;
}) {
  return (
    <div aria-busy={isStale}>
      <Table caption="Transactions, newest first" columns={COLUMNS}>
        {rows.map((row) => (
          <TransactionEntry key={row.id} row={row} />
        ))}
      </Table>
    </div>
  );
}

function TransactionEntry({ row }: { readonly row: TransactionRowFragment }) {
  const { createdAt, direction, network, status, paidFromCredit, txHash, explorerUrl, failureReason } = row;
  return (
    <Row className="max-md:grid-cols-[minmax(0,1fr)_auto]">
      <Cell className="max-md:order-5 max-md:text-right max-md:text-small md:w-40">
        <Time at={createdAt} withDate />
      </Cell>
      <Cell className="max-md:order-1 md:max-w-72">
        <Description row={row} />
      </Cell>
      <Cell className="max-md:order-3 max-md:col-span-2 max-md:text-small max-md:text-muted">
        {network ?? <span className="max-md:hidden">–</span>}
        {paidFromCredit && direction === "OUT" && (
          <span className="text-small text-muted md:block">
            {network && <span className="md:hidden">, </span>}from credit
          </span>
        )}
      </Cell>
      <Cell className="max-md:order-4">
        <TransactionStatusBadge status={status} />
        {failureReason && <span className="block text-small text-muted">{failureReason}</span>}
        {txHash && (
          <span className="block">
            <Hash value={txHash} what="the transaction hash" explorerUrl={explorerUrl} />
          </span>
        )}
      </Cell>
      <Cell className="max-md:order-2 max-md:text-right">
        <Amount row={row} />
      </Cell>
    </Row>
  );
}

/** Resource and description of a transaction, then its recipient and its payer. */
function Description({
  row: { type, resource, description, payTo, paidBy },
}: {
  readonly row: TransactionRowFragment;
}) {
  const name = resource && URL.canParse(resource) ? new URL(resource) : null;
  return (
    <span className="block min-w-0">
      <span className="block truncate font-medium" title={resource ?? undefined}>
        {name ? name.host + (name.pathname === "/" ? "" : name.pathname) : (description ?? KINDS[type])}
      </span>
      {name && <span className="block truncate text-small text-muted">{description ?? KINDS[type]}</span>}
      {payTo && (
        <span className="flex items-center gap-1 text-small text-muted">
          to <Hash value={payTo} what="the recipient's address" />
        </span>
      )}
      {paidBy && <PaidBy payer={paidBy} />}
    </span>
  );
}

/** The credential of a payment. */
export function PaidBy({
  payer: { kind, name, isOneTime },
}: {
  readonly payer: NonNullable<TransactionRowFragment["paidBy"]>;
}) {
  return (
    <span className="block truncate text-small text-muted" title={name ?? undefined}>
      by {isOneTime && "a one-time token of "}
      {kind === "PERSON" ? isOneTime ? "yours" : "you" : <bdi>{name}</bdi>}
    </span>
  );
}

/** Amount in the transferred asset. Amounts that were not transferred are struck through. */
function Amount({ row }: { readonly row: TransactionRowFragment }) {
  const { direction, status, amount, amountUsd, paidFromCredit } = row;
  const isVoid = status === "RELEASED" || status === "FAILED";
  const isUsd = amount.asset === null || paidFromCredit;
  return (
    <span className={isVoid ? "line-through decoration-muted" : ""}>
      {direction === "IN" ? "+" : "−"}
      <Money
        amount={isUsd ? amountUsd : amount.amount}
        currency={isUsd ? "USD" : amount.symbol}
        className={amount.asset === "native" ? "" : "font-semibold"}
      />
    </span>
  );
}
