import { Link } from "wouter";
import { buttonClass } from "../../components/button.tsx";
import { Actions } from "../../components/dialog.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { Price } from "../../components/price.tsx";
import type { ShownApprovalFragment } from "../../generated/graphql.ts";
import { Countdown } from "../buy/countdown.tsx";
import { type PurchaseDocument, readPurchaseDocument } from "./read-document.ts";

const TITLES: Readonly<Record<Exclude<ShownApprovalFragment["status"], "PENDING">, string>> = {
  APPROVED: "Approved",
  CONSUMED: "Approved and ordered",
  DENIED: "Denied",
  EXPIRED: "Expired",
};

/** Outcome of a decided or expired approval, with a link to the order. */
export function Decided({
  approval,
  onChanged,
}: {
  readonly approval: ShownApprovalFragment;
  readonly onChanged: () => void;
}) {
  const { status, decidedAt } = approval;
  if (status === "PENDING") return null;
  const document = readPurchaseDocument(approval.document);
  return (
    <>
      <PageTitle>{TITLES[status]}</PageTitle>
      <div role="status" className="mt-3 grid gap-3">
        {document && <PurchaseSummary document={document} />}
        {status === "APPROVED" && (
          <p>
            {document ? <bdi>{document.asked_by}</bdi> : "The requester"} may place this order once, exactly as shown,
            within <Countdown until={approval.expiresAt} onExpired={onChanged} />.
          </p>
        )}
        {status === "CONSUMED" && <p>The order was placed. Its page shows the progress and the charge.</p>}
        {status === "DENIED" && <p>No purchase was made and your card was not charged.</p>}
        {status === "EXPIRED" && (
          <p>
            {decidedAt
              ? "You approved the purchase, but the order was not placed in time."
              : "The approval expired without a decision."}{" "}
            No purchase was made. Have your agent request it again if needed.
          </p>
        )}
      </div>
      {document && (
        <Actions>
          <Link
            href={orderPath(document.order_id)}
            className={buttonClass(status === "CONSUMED" ? "primary" : "plain")}
          >
            {status === "APPROVED" || status === "CONSUMED" ? "Track order" : "View order"}
          </Link>
        </Actions>
      )}
    </>
  );
}

/** Returns the path of the order page. */
const orderPath = (orderId: string) => `/orders/${encodeURIComponent(orderId)}`;

function PurchaseSummary({ document }: { readonly document: PurchaseDocument }) {
  const { merchant, amount_minor, amount_is_final, currency } = document;
  return (
    <p>
      <bdi className="font-semibold wrap-anywhere">{merchant.name}</bdi>, {!amount_is_final && "up to "}
      <Price amountMinor={amount_minor} currency={currency} />
    </p>
  );
}
