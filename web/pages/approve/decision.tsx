import { Button } from "../../components/button.tsx";
import { FailureNotice, Notice } from "../../components/notice.tsx";
import { WordForWord } from "../../components/word-for-word.tsx";
import type { ShownApprovalFragment } from "../../generated/graphql.ts";
import { Countdown } from "../buy/countdown.tsx";
import { NeedsPasskey } from "../security/needs-passkey.tsx";
import { Purchase } from "./purchase.tsx";
import { type PurchaseDocument, readPurchaseDocument } from "./read-document.ts";
import { useCheckedAddress } from "./use-checked-address.ts";
import { useDecide } from "./use-decide.ts";

/** Everything that is signed, on one screen, and nothing that is not all of it can be signed. */
export function Decision({
  approval,
  account,
  hasPasskey,
  onMoved,
}: {
  readonly approval: ShownApprovalFragment;
  readonly account: { readonly id: string; readonly email: string | null };
  readonly hasPasskey: boolean;
  readonly onMoved: () => void;
}) {
  const document = readPurchaseDocument(approval.document);
  const checked = useCheckedAddress(document?.destination, approval.deliveryAddress);
  const { approve, deny, isApproving, isDenying, failure } = useDecide(approval, onMoved);
  const isWhole = document !== null && (checked.state === "same" || checked.state === "nowhere");
  return (
    <div className="-mt-6 -mb-20 sm:-mt-4">
      <title>Approve a purchase · Satchel</title>
      <h1 className="font-serif text-lead leading-tight font-semibold wrap-anywhere sm:text-title">
        {document ? <bdi>{document.asked_by}</bdi> : "Somebody"} asks to buy for you
      </h1>
      {document && <Shop merchant={document.merchant} />}
      <p className="text-small text-muted">You are asked because: {approval.reasonText}</p>
      {document && (
        <Purchase
          document={document}
          address={checked.address}
          timeLeft={<Countdown until={approval.expiresAt} onOver={onMoved} />}
        />
      )}
      {document === null && (
        <Cannot why="This page does not know all of what would be signed, so it cannot be approved here. Load the page again, or deny it." />
      )}
      {checked.state === "differs" && (
        <Cannot why="The address that would be signed is not the one kept with this purchase. Deny it, and have it asked for again." />
      )}
      <WordForWord document={approval.document} isOpen={document === null} />
      {isWhole && !hasPasskey && <NeedsPasskey account={account} what="Approving" onAdded={onMoved} />}
      <div className="mt-2">
        <FailureNotice failure={failure?.code === "invalid_transition" ? null : failure} />
      </div>
      <div className="sticky bottom-0 mt-2 grid grid-cols-2 gap-3 bg-paper py-3">
        <Button isBusy={isDenying || isApproving} onClick={() => void deny()}>
          {isDenying ? "Denying…" : "Deny"}
        </Button>
        <Button isBusy={isDenying || isApproving} disabled={!isWhole || !hasPasskey} onClick={() => void approve()}>
          {isApproving ? "Waiting for you…" : "Approve"}
        </Button>
      </div>
    </div>
  );
}

function Shop({ merchant }: { readonly merchant: PurchaseDocument["merchant"] }) {
  return (
    <p className="mt-1">
      at <bdi className="font-semibold wrap-anywhere">{merchant.name}</bdi>,{" "}
      <bdi className="font-mono text-small wrap-anywhere">{merchant.domain}</bdi>
      {merchant.is_test && <span className="text-caution"> (a test shop: no real money moves)</span>}
    </p>
  );
}

function Cannot({ why }: { readonly why: string }) {
  return (
    <div className="mt-3">
      <Notice tone="caution" title="This cannot be approved">
        <p>{why}</p>
      </Notice>
    </div>
  );
}
