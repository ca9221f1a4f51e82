import { Link } from "wouter";
import { Cell, Row, Table } from "../../components/list.tsx";
import { Time } from "../../components/time.tsx";
import type { OrderRowFragment } from "../../generated/graphql.ts";
import { Amount } from "./amount.tsx";
import { merchantName, orderTitle } from "./order-labels.ts";
import { orderPath } from "./order-path.ts";
import { OrderStatus } from "./order-status.tsx";

export function OrderTable({
  rows,
  isStale,
}: {
  readonly rows: readonly OrderRowFragment[];
  readonly isStale: boolean;
}) {
  return (
    <div aria-busy={isStale}>
      <Table caption="Orders, newest first" columns={["Date", "Order", "Status", "Amount"]}>
        {rows.map((row) => (
          <OrderEntry key={row.id} row={row} />
        ))}
      </Table>
    </div>
  );
}

function OrderEntry({ row }: { readonly row: OrderRowFragment }) {
  const { orderId, kind, isTest, createdAt } = row;
  return (
    <Row className="max-md:grid-cols-[minmax(0,1fr)_auto]">
      <Cell className="max-md:order-4 max-md:text-right max-md:text-small md:w-40">
        <Time at={createdAt} withDate />
      </Cell>
      <Cell className="max-md:col-span-2">
        <Link href={orderPath(orderId)} className="font-medium text-leather underline underline-offset-3 wrap-anywhere">
          <bdi>{orderTitle(row)}</bdi>
        </Link>
        <span className="block text-small text-muted">
          <bdi className="wrap-anywhere">{merchantName(row)}</bdi>
          {isTest && " (sandbox)"}
        </span>
      </Cell>
      <Cell className="max-md:order-3">
        <OrderStatus order={row} size="small" />
      </Cell>
      <Cell {...(kind === "PURCHASE" ? { label: "Amount" } : {})} className="max-md:col-span-2">
        {kind === "PURCHASE" && <Amount order={row} size="body" />}
      </Cell>
    </Row>
  );
}
