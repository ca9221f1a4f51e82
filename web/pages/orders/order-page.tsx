import { useCallback } from "react";
import { useClient } from "urql";
import { Link } from "wouter";
import type { PageProps } from "../../app/page-props.ts";
import { PATHS } from "../../app/paths.ts";
import { buttonClass } from "../../components/button.tsx";
import { FailureNotice, Notice } from "../../components/notice.tsx";
import { OutsideLink } from "../../components/outside-link.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { Section } from "../../components/section.tsx";
import { PageSkeleton } from "../../components/skeleton.tsx";
import type { OrderDetailsFragment } from "../../generated/graphql.ts";
import { Amount, amountNote } from "./amount.tsx";
import { Evidence } from "./evidence.tsx";
import { findLiveViewUrl } from "./find-live-view-url.ts";
import { LiveView } from "./live-view.tsx";
import { OrderStatus } from "./order-status.tsx";
import { nextStepOf, shopOf, whatOf } from "./order-words.ts";
import { Receipt } from "./receipt.tsx";
import { Steps } from "./steps.tsx";
import { useOrder } from "./use-order.ts";

/** One order: as it is placed, and afterwards its receipt and evidence. The link that agents hand to people. */
export default function OrderPage({ params: { orderId = "" } }: PageProps) {
  const { order, failure, again } = useOrder(orderId);
  if (order) return <Shown key={order.id} order={order} />;
  if (order === undefined && !failure) return <PageSkeleton />;
  return (
    <>
      <PageTitle>{failure ? "Order" : "There is no such order"}</PageTitle>
      <FailureNotice failure={failure} onRetry={again} />
      <p className="mt-2">
        {!failure && "Perhaps it is another account’s. "}
        <Link href={PATHS.orders} className="text-leather underline underline-offset-3">
          See all orders
        </Link>
      </p>
    </>
  );
}

function Shown({ order }: { readonly order: OrderDetailsFragment }) {
  const { orderId, kind, status, isTerminal, approval } = order;
  return (
    <>
      <Link href={PATHS.orders} className="text-small text-leather underline underline-offset-3">
        All orders
      </Link>
      <PageTitle>{whatOf(order)}</PageTitle>
      <p className="text-muted">
        <bdi className="wrap-anywhere">{shopOf(order)}</bdi>
        {order.isTest && " (test shop)"}
      </p>
      <div role="status" className="mt-3">
        <OrderStatus order={order} size="body" />
      </div>
      {kind === "purchase" && (
        <p className="mt-2">
          <Amount order={order} size="display" />
          <span className="block text-muted">{amountNote(order)}</span>
        </p>
      )}
      <div className="mt-4 grid gap-4 empty:hidden">
        {approval?.status === "PENDING" && <AskedFor approvalId={approval.approvalId} />}
        {isTerminal && <Outcome order={order} />}
      </div>
      {!isTerminal && status !== "approval_required" && <Live orderId={orderId} />}
      {!isTerminal && status !== "approval_required" && <Steps order={order} />}
      <Receipt order={order} />
      {isTerminal && <Steps order={order} />}
      <Evidence order={order} />
    </>
  );
}

function AskedFor({ approvalId }: { readonly approvalId: string }) {
  return (
    <Notice tone="caution" title="It is bought only if you approve it">
      <p className="mb-2">Nothing happens until you have looked at it and decided.</p>
      <Link href={PATHS.approve.replace(":approvalId", approvalId)} className={buttonClass("primary")}>
        Look at it and decide
      </Link>
    </Notice>
  );
}

/** What happened, in words, and what to do now. */
function Outcome({ order }: { readonly order: OrderDetailsFragment }) {
  const { errorMessage, retryAction, retryable, basketUrl, merchant, status } = order;
  const next = nextStepOf(order);
  if (errorMessage === null && next === null) return null;
  const isUnclear = retryable === null || order.errorCode === "overcharged";
  const shopUrl =
    retryAction === "handoff" ? (webAddress(basketUrl) ?? merchant?.url) : isUnclear ? merchant?.url : null;
  return (
    <Notice tone={status === "explored" ? "good" : isUnclear ? "caution" : "plain"} title={errorMessage ?? "Done"}>
      {next !== null && <p>{next}</p>}
      {shopUrl && (
        <p className="mt-1">
          <OutsideLink href={shopUrl}>
            {retryAction === "handoff" ? "Go to the shop" : new URL(shopUrl).host}
          </OutsideLink>
        </p>
      )}
    </Notice>
  );
}

/** A shop says where its basket is: only what a browser opens as a page counts. */
function webAddress(url: string | null): string | null {
  return url !== null && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? url : null;
}

function Live({ orderId }: { readonly orderId: string }) {
  const client = useClient();
  const findUrl = useCallback(() => findLiveViewUrl(client, orderId), [client, orderId]);
  return (
    <Section title="Live" hint="The shop’s page as the checkout sees it.">
      <LiveView findUrl={findUrl} whenNone="over" />
    </Section>
  );
}
