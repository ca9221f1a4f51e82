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
  EXPIRED: "Its time is over",
};

/** What became of it, and where to go on. */
export function Decided({
  approval,
  onMoved,
}: {
  readonly approval: ShownApprovalFragment;
  readonly onMoved: () => void;
}) {
  const { status, decidedAt } = approval;
  if (status === "PENDING") return null;
  const document = readPurchaseDocument(approval.document);
  return (
    <>
      <PageTitle>{TITLES[status]}</PageTitle>
      <div role="status" className="mt-3 grid gap-3">
        {document && <What document={document} />}
        {status === "APPROVED" && (
          <p>
            {document ? <bdi>{document.asked_by}</bdi> : "Whoever asked"} may order it now, once, exactly as it was
            shown. If it does not within <Countdown until={approval.expiresAt} onOver={onMoved} />, nothing is bought.
          </p>
        )}
        {status === "CONSUMED" && <p>The order is placed. Its page shows how it goes, and what was charged.</p>}
        {status === "DENIED" && <p>Nothing is bought, and your card is not used.</p>}
        {status === "EXPIRED" && (
          <p>
            {decidedAt ? "You approved it, but it was not ordered in time." : "Nobody decided in time."} Nothing is
            bought. If you still want it, ask for it again.
          </p>
        )}
      </div>
      {document && (
        <Actions>
          <Link
            href={orderPath(document.order_id)}
            className={buttonClass(status === "CONSUMED" ? "primary" : "plain")}
          >
            {status === "APPROVED" || status === "CONSUMED" ? "Follow the order" : "See the order"}
          </Link>
        </Actions>
      )}
    </>
  );
}

/** Where an order's own page is. */
const orderPath = (orderId: string) => `/orders/${encodeURIComponent(orderId)}`;

function What({ document }: { readonly document: PurchaseDocument }) {
  const { merchant, amount_minor, amount_is_final, currency } = document;
  return (
    <p>
      <bdi className="font-semibold wrap-anywhere">{merchant.name}</bdi>, {!amount_is_final && "at most "}
      <Price amountMinor={amount_minor} currency={currency} />
    </p>
  );
}
