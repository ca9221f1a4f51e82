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
import { mergeUpdates } from "../../graphql/merge-updates.ts";
import { useResumableSubscription } from "../../graphql/use-resumable-subscription.ts";
import { needsAccountOwner } from "./order-labels.ts";
import { OrderTable } from "./order-table.tsx";

/** Order statuses per filter option. */
const STATES: Readonly<Record<string, readonly CheckoutOrderStatus[]>> = {
  live: ["PENDING", "DISPATCHED", "APPROVAL_REQUIRED"],
  bought: ["SUCCEEDED"],
  not_bought: ["MERCHANT_ERROR", "WORKER_ERROR", "PRICE_CHANGED", "OUT_OF_STOCK", "PAYMENT_GATE_HIT", "TIMEOUT"],
  unclear: ["PAYMENT_UNCONFIRMED"],
};
const STATE_OPTIONS = [
  ["live", "In progress"],
  ["waiting", "Action required"],
  ["bought", "Purchased"],
  ["not_bought", "Not purchased"],
  ["unclear", "Charge unconfirmed"],
] as const;
const KIND_OPTIONS = [
  ["PURCHASE", "Purchases"],
  ["EXPLORED", "Explorations"],
] as const;

/** Orders of the account with live updates, newest first. */
export default function OrdersPage() {
  const [state, setState] = useState("");
  const [kind, setKind] = useState<CheckoutOrderKind | null>(null);
  const [updates, setUpdates] = useState<ReadonlyMap<string, OrderRowFragment>>(new Map());
  const status = STATES[state] ?? null;
  const isWaiting = state === "waiting";
  const filter = { statuses: status && [...status], kinds: kind && [kind], waitsForPerson: isWaiting || null };
  const list = usePagedList(OrdersDocument, { filter }, ({ viewer }) => viewer?.orders);
  const { pages } = list;
  useResumableSubscription(OrdersMovesDocument, {
    onEvent({ orderUpdated: { cursor, order } }) {
      setUpdates((current) => new Map(current).set(order.id, order));
      return cursor;
    },
    onLost: list.again,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a refreshed list already contains all earlier updates
  useEffect(() => setUpdates(new Map()), [state, kind]);
  const passes = (order: OrderRowFragment) =>
    (!kind || order.kind === kind) &&
    (!status || status.includes(order.status)) &&
    (!isWaiting || needsAccountOwner(order));
  const shown = list.shown && mergeUpdates(list.shown, updates, passes, pages.isFirst);
  const isFiltered = kind !== null || state !== "";
  return (
    <>
      <PageTitle>Orders</PageTitle>
      <p className="mt-1 mb-6 max-w-[72ch] text-muted">
        Purchases your agent makes with your{" "}
        <Link href={PATHS.cards} className="text-leather underline underline-offset-3">
          cards
        </Link>
        . New orders appear automatically.
      </p>
      <div className="mb-4 grid gap-3 sm:max-w-xl sm:grid-cols-2">
        <FilterChoice
          label="Status"
          all="All"
          options={STATE_OPTIONS}
          value={state}
          onChoose={(value) => {
            pages.reset();
            setState(value);
          }}
        />
        <FilterChoice
          label="Type"
          all="All"
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
          isFiltered ? "No matching orders." : "No orders yet. Orders from your agent appear here when they are placed."
        }
      >
        {(rows) => <OrderTable rows={rows} isStale={list.isStale} />}
      </ListOf>
    </>
  );
}
