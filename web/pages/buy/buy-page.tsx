import { useState } from "react";
import { useLocation } from "wouter";
import { useSearch } from "wouter/use-browser-location";
import { PATHS } from "../../app/paths.ts";
import { focusPageTop } from "../../components/focus-page-top.ts";
import { FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { BuyDocument } from "../../generated/graphql.ts";
import { useReading } from "../../graphql/use-reading.ts";
import { Decision } from "./decision.tsx";
import type { Created, Paid } from "./outcome.ts";
import { PurchaseForm } from "./purchase-form.tsx";
import { findPurchaseProblems, type PurchaseDraft, readPurchase, toPurchaseQuery } from "./read-purchase.ts";
import { Receipt } from "./receipt.tsx";
import { TokenHandover } from "./token-handover.tsx";

type Outcome = { readonly paid: Paid } | { readonly created: Created };

/** Approval page of one payment: pay now, or create a purchase token for an agent. */
export default function BuyPage() {
  const reading = useReading({ query: BuyDocument, requestPolicy: "cache-first" }, ({ viewer }) => viewer ?? undefined);
  const { shown: viewer, failure, again } = reading;
  const search = useSearch();
  const [, navigate] = useLocation();
  const [isEditing, setIsEditing] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  function show(next: Outcome | null) {
    setOutcome(next);
    focusPageTop();
  }

  if (outcome && "paid" in outcome) {
    return <Receipt paid={outcome.paid} merchantUrl={readPurchase(search).merchant} onAgain={() => show(null)} />;
  }
  if (outcome) return <TokenHandover created={outcome.created} onAgain={() => show(null)} />;
  if (!viewer) {
    return (
      <>
        <PageTitle>Approve payment</PageTitle>
        <FailureNotice failure={failure} onRetry={again} />
        {!failure && <SkeletonRows count={4} />}
      </>
    );
  }

  const draft = readPurchase(search);
  const networks = viewer.wallet.networks;
  const problems = findPurchaseProblems(draft, networks);
  function applyEdit(changed: PurchaseDraft) {
    navigate(`${PATHS.buy}?${toPurchaseQuery(changed)}`, { replace: true });
    setIsEditing(false);
  }
  if (isEditing || Object.keys(problems).length > 0) {
    // Without a link the form starts empty and shows no problems.
    const isBlank = draft.merchant === "" && !isEditing;
    return (
      <PurchaseForm
        draft={draft}
        networks={networks}
        problems={isBlank ? {} : problems}
        key={search}
        onDone={applyEdit}
      />
    );
  }
  return (
    <Decision
      key={search}
      draft={draft}
      account={viewer.account}
      creditUsd={viewer.wallet.creditUsd}
      onRefresh={again}
      onEdit={() => setIsEditing(true)}
      onPaid={(paid) => show({ paid })}
      onCreated={(created) => show({ created })}
    />
  );
}
