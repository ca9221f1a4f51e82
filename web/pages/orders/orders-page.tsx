import { useCallback, useEffect, useState } from "react";
import { useQuery } from "urql";
import { Link } from "wouter";
import { PATHS } from "../../app/paths.ts";
import { FilterChoice } from "../../components/filter-choice.tsx";
import { Empty, FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { Pager, usePages } from "../../components/pager.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import {
  type CheckoutOrderKind,
  type CheckoutOrderStatus,
  type OrderRowFragment,
  OrdersDocument,
  OrdersMovesDocument,
} from "../../generated/graphql.ts";
import { isSignedOut } from "../../graphql/client.ts";
import { withMoved } from "../../graphql/live-rows.ts";
import { transportFailure } from "../../graphql/use-operation.ts";
import { useResumed } from "../../graphql/use-resumed.ts";
import { OrderTable } from "./order-table.tsx";
import { waitsForPerson } from "./order-words.ts";

const PAGE_SIZE = 20;

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
  const pages = usePages();
  const status = STATES[state] ?? null;
  const isWaiting = state === "waiting";
  const [{ data, error, stale }, refresh] = useQuery({
    query: OrdersDocument,
    variables: {
      filter: { status: status && [...status], kind, waitsForPerson: isWaiting || null },
      first: PAGE_SIZE,
      after: pages.after,
    },
    requestPolicy: "cache-and-network",
  });
  const again = useCallback(() => refresh({ requestPolicy: "network-only" }), [refresh]);
  useResumed(OrdersMovesDocument, {
    onEvent({ ordersUpdated: { cursor, order } }) {
      setUpdates((known) => new Map(known).set(order.id, order));
      return cursor;
    },
    onLost: again,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was asked for anew knows of all moves before
  useEffect(() => setUpdates(new Map()), [state, kind]);
  const connection = data?.viewer?.orders;
  const failure = error && !connection && !isSignedOut(error) ? transportFailure(error) : null;
  const passes = (order: OrderRowFragment) =>
    (!kind || order.kind === kind) &&
    (!status || status.includes(order.status)) &&
    (!isWaiting || waitsForPerson(order));
  const rows =
    connection &&
    withMoved(
      connection.edges.map(({ node }) => node),
      updates,
      passes,
      pages.isFirst,
    );
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
      <FailureNotice failure={failure} onRetry={again} />
      {!rows && !failure && <SkeletonRows count={4} className="h-16" />}
      {rows?.length === 0 && (
        <Empty>
          {isFiltered
            ? "No order is like that."
            : "Nothing was ordered yet. The first order of your agent appears here as it is placed."}
        </Empty>
      )}
      {rows && rows.length > 0 && <OrderTable rows={rows} isStale={stale} />}
      <Pager pages={pages} pageInfo={connection?.pageInfo} />
    </>
  );
}
