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
import { DryRunResult } from "./dry-run-result.tsx";
import { Evidence } from "./evidence.tsx";
import { findLiveViewUrl } from "./find-live-view-url.ts";
import { LiveView } from "./live-view.tsx";
import { merchantName, orderTitle } from "./order-labels.ts";
import { OrderStatus } from "./order-status.tsx";
import { findOutcome } from "./outcomes.ts";
import { QuestionForm } from "./question-form.tsx";
import { Receipt } from "./receipt.tsx";
import { Steps } from "./steps.tsx";
import { useOrder } from "./use-order.ts";

/** One order: the live checkout, then receipt and evidence. Agents share the link to this page. */
export default function OrderPage({ params: { orderId = "" } }: PageProps) {
  const { order, failure, again } = useOrder(orderId);
  if (order) return <OrderDetails key={order.id} order={order} onChanged={again} />;
  if (order === undefined && !failure) return <PageSkeleton />;
  return (
    <>
      <PageTitle>{failure ? "Order" : "Order not found"}</PageTitle>
      <FailureNotice failure={failure} onRetry={again} />
      <p className="mt-2">
        {!failure && "It may belong to another account. "}
        <Link href={PATHS.orders} className="text-leather underline underline-offset-3">
          View all orders
        </Link>
      </p>
    </>
  );
}

function OrderDetails({ order, onChanged }: { readonly order: OrderDetailsFragment; readonly onChanged: () => void }) {
  const { orderId, kind, status, isTerminal, approval, question } = order;
  return (
    <>
      <Link href={PATHS.orders} className="text-small text-leather underline underline-offset-3">
        Orders
      </Link>
      <PageTitle>{orderTitle(order)}</PageTitle>
      <p className="text-muted">
        <bdi className="wrap-anywhere">{merchantName(order)}</bdi>
        {order.isTest && " (sandbox)"}
      </p>
      <div role="status" className="mt-3">
        <OrderStatus order={order} size="body" />
      </div>
      {kind === "PURCHASE" && (
        <p className="mt-2">
          <Amount order={order} size="display" />
          <span className="block text-muted">{amountNote(order)}</span>
        </p>
      )}
      <div className="mt-4 grid gap-4 empty:hidden">
        {approval?.status === "PENDING" && <ApprovalNotice approvalId={approval.approvalId} />}
        {question?.__typename === "OrderQuestion" && (
          <QuestionForm key={question.questionId} question={question} onChanged={onChanged} />
        )}
        {isTerminal && <OutcomeNotice order={order} />}
      </div>
      {!isTerminal && status !== "APPROVAL_REQUIRED" && <LiveSection orderId={orderId} />}
      {!isTerminal && status !== "APPROVAL_REQUIRED" && <Steps order={order} />}
      <DryRunResult order={order} />
      <Receipt order={order} />
      {isTerminal && <Steps order={order} />}
      <Evidence order={order} />
    </>
  );
}

function ApprovalNotice({ approvalId }: { readonly approvalId: string }) {
  return (
    <Notice tone="caution" title="Your approval is required">
      <p className="mb-2">The order is placed only after you approve it.</p>
      <Link href={PATHS.approve.replace(":approvalId", approvalId)} className={buttonClass("primary")}>
        Review
      </Link>
    </Notice>
  );
}

/** Outcome of the order and the next step. */
function OutcomeNotice({ order }: { readonly order: OrderDetailsFragment }) {
  const { retryAction, retryable, basketUrl, merchant, status } = order;
  const { title, next } = findOutcome(order);
  if (status === "SUCCEEDED" && next === null) return null;
  const isUnclear = retryable === null || order.errorCode === "OVERCHARGED";
  const siteUrl =
    retryAction === "HANDOFF" ? (webAddress(basketUrl) ?? merchant?.url) : isUnclear ? merchant?.url : null;
  return (
    <Notice tone={status === "EXPLORED" ? "good" : isUnclear ? "caution" : "plain"} title={title}>
      {next !== null && <p>{next}</p>}
      {siteUrl && (
        <p className="mt-1">
          <OutsideLink href={siteUrl}>
            {retryAction === "HANDOFF" ? "Go to merchant" : new URL(siteUrl).host}
          </OutsideLink>
        </p>
      )}
    </Notice>
  );
}

/** Returns the URL if it is an HTTP or HTTPS page, otherwise null. The cart URL comes from the merchant and is untrusted. */
function webAddress(url: string | null): string | null {
  return url !== null && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? url : null;
}

function LiveSection({ orderId }: { readonly orderId: string }) {
  const client = useClient();
  const findUrl = useCallback(() => findLiveViewUrl(client, orderId), [client, orderId]);
  return (
    <Section title="Live" hint="The page in the checkout browser.">
      <LiveView findUrl={findUrl} whenNone="over" />
    </Section>
  );
}
