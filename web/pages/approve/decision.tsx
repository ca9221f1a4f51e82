import { Button } from "../../components/button.tsx";
import { ExactDocument } from "../../components/exact-document.tsx";
import { FailureNotice, Notice } from "../../components/notice.tsx";
import type { ShownApprovalFragment } from "../../generated/graphql.ts";
import { Countdown } from "../buy/countdown.tsx";
import { NeedsPasskey } from "../security/needs-passkey.tsx";
import { Purchase } from "./purchase.tsx";
import { type PurchaseDocument, readPurchaseDocument } from "./read-document.ts";
import { useCheckedAddress } from "./use-checked-address.ts";
import { useDecide } from "./use-decide.ts";

/** A purchase to approve or deny. Approval is disabled unless the page displays every member of the signed document. */
export function Decision({
  approval,
  account,
  hasPasskey,
  onChanged,
}: {
  readonly approval: ShownApprovalFragment;
  readonly account: { readonly id: string; readonly email: string | null };
  readonly hasPasskey: boolean;
  readonly onChanged: () => void;
}) {
  const document = readPurchaseDocument(approval.document);
  const checked = useCheckedAddress(document?.destination, approval.deliveryAddress);
  const { approve, deny, isApproving, isDenying, failure } = useDecide(approval, onChanged);
  const isComplete = document !== null && (checked.state === "same" || checked.state === "nowhere");
  return (
    <div className="-mt-6 -mb-20 sm:-mt-4">
      <title>Approve purchase · Satchel</title>
      <h1 className="font-serif text-lead leading-tight font-semibold wrap-anywhere sm:text-title">
        {document ? <bdi>{document.asked_by}</bdi> : "An agent"} requests a purchase
      </h1>
      {document && <MerchantLine merchant={document.merchant} />}
      <p className="text-small text-muted">Reason for approval: {approval.reasonText}</p>
      {document && (
        <Purchase
          document={document}
          address={checked.address}
          timeLeft={<Countdown until={approval.expiresAt} onExpired={onChanged} />}
        />
      )}
      {document === null && (
        <ApprovalBlocked reason="The document contains members that this page cannot display. Reload the page, or deny the purchase." />
      )}
      {checked.state === "differs" && (
        <ApprovalBlocked reason="The address in the signed document differs from the stored delivery address. Deny the purchase and have it requested again." />
      )}
      <ExactDocument document={approval.document} isOpen={document === null} />
      {isComplete && !hasPasskey && <NeedsPasskey account={account} what="Approving" onAdded={onChanged} />}
      <div className="mt-2">
        <FailureNotice failure={failure?.code === "INVALID_TRANSITION" ? null : failure} />
      </div>
      <div className="sticky bottom-0 mt-2 grid grid-cols-2 gap-3 bg-paper py-3">
        <Button isBusy={isDenying || isApproving} onClick={() => void deny()}>
          {isDenying ? "Denying…" : "Deny"}
        </Button>
        <Button isBusy={isDenying || isApproving} disabled={!isComplete || !hasPasskey} onClick={() => void approve()}>
          {isApproving ? "Waiting for passkey…" : "Approve"}
        </Button>
      </div>
    </div>
  );
}

function MerchantLine({ merchant }: { readonly merchant: PurchaseDocument["merchant"] }) {
  return (
    <p className="mt-1">
      at <bdi className="font-semibold wrap-anywhere">{merchant.name}</bdi>,{" "}
      <bdi className="font-mono text-small wrap-anywhere">{merchant.domain}</bdi>
      {!merchant.is_pooled && <span className="text-caution"> (explored by you; its name is not verified)</span>}
      {merchant.is_test && <span className="text-caution"> (sandbox: no real money is charged)</span>}
    </p>
  );
}

function ApprovalBlocked({ reason }: { readonly reason: string }) {
  return (
    <div className="mt-3">
      <Notice tone="caution" title="This purchase cannot be approved">
        <p>{reason}</p>
      </Notice>
    </div>
  );
}
