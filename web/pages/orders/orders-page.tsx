import { useEffect, useState } from "react";
import { Link } from "wouter";
import { PATHS } from "../../app/paths.ts";
import { FilterChoice } from "../../components/filter-choice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { ListOf, usePagedList } from "../../components/paged-list.tsx";
import {
  type CheckoutOrderKind,
  type CheckoutOrderStatus,
  type OrderRowFragment,
  OrdersDocument,
  OrdersMovesDocument,
} from "../../generated/graphql.ts";
import { withMoved } from "../../graphql/live-rows.ts";
import { useResumed } from "../../graphql/use-resumed.ts";
import { OrderTable } from "./order-table.tsx";
import { waitsForPerson } from "./order-words.ts";

/** The states that a person tells apart. */
const STATES: Readonly<Record<string, readonly CheckoutOrderStatus[]>> = {
  live: ["pending", "dispatched", "approval_required"],
  bought: ["succeeded"],
  not_bought: ["merchant_error", "worker_error", "price_changed", "out_of_stock", "payment_gate_hit", "timeout"],
  unclear: ["payment_unconfirmed"],
};
const STATE_OPTIONS = [
  ["live", "On their way"],
  ["waiting", "Waiting for you"],
  ["bought", "Bought"],
  ["not_bought", "Ended otherwise"],
  ["unclear", "Perhaps charged"],
] as const;
const KIND_OPTIONS = [
  ["purchase", "Purchases"],
  ["explored", "First looks at shops"],
] as const;

/** The account's orders at shops, newest first, as they move. */
export default function OrdersPage() {
  const [state, setState] = useState("");
  const [kind, setKind] = useState<CheckoutOrderKind | null>(null);
  const [updates, setUpdates] = useState<ReadonlyMap<string, OrderRowFragment>>(new Map());
  const status = STATES[state] ?? null;
  const isWaiting = state === "waiting";
  const filter = { status: status && [...status], kind, waitsForPerson: isWaiting || null };
  const list = usePagedList(OrdersDocument, { filter }, ({ viewer }) => viewer?.orders);
  const { pages } = list;
  useResumed(OrdersMovesDocument, {
    onEvent({ ordersUpdated: { cursor, order } }) {
      setUpdates((known) => new Map(known).set(order.id, order));
      return cursor;
    },
    onLost: list.again,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was asked for anew knows of all moves before
  useEffect(() => setUpdates(new Map()), [state, kind]);
  const passes = (order: OrderRowFragment) =>
    (!kind || order.kind === kind) &&
    (!status || status.includes(order.status)) &&
    (!isWaiting || waitsForPerson(order));
  const shown = list.shown && withMoved(list.shown, updates, passes, pages.isFirst);
  const isFiltered = kind !== null || state !== "";
  return (
    <>
      <PageTitle>Orders</PageTitle>
      <p className="mt-1 mb-6 max-w-[72ch] text-muted">
        What your agent buys at shops with your{" "}
        <Link href={PATHS.cards} className="text-leather underline underline-offset-3">
          cards
        </Link>
        . New orders appear by themselves.
      </p>
      <div className="mb-4 grid gap-3 sm:max-w-xl sm:grid-cols-2">
        <FilterChoice
          label="State"
          all="Any state"
          options={STATE_OPTIONS}
          value={state}
          onChoose={(value) => {
            pages.reset();
            setState(value);
          }}
        />
        <FilterChoice
          label="Kind"
          all="All orders"
          options={KIND_OPTIONS}
          value={kind}
          onChoose={(value) => {
            pages.reset();
            setKind((value || null) as CheckoutOrderKind | null);
          }}
        />
      </div>
      <ListOf
        list={{ ...list, shown }}
        awaited={{ count: 4, className: "h-16" }}
        empty={
          isFiltered
            ? "No order is like that."
            : "Nothing was ordered yet. The first order of your agent appears here as it is placed."
        }
      >
        {(rows) => <OrderTable rows={rows} isStale={list.isStale} />}
      </ListOf>
    </>
  );
}
