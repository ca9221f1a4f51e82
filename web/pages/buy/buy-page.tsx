import { useState } from "react";
import { useLocation } from "wouter";
import { useSearch } from "wouter/use-browser-location";
import { PATHS } from "../../app/paths.ts";
import { FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { startReading } from "../../components/start-reading.ts";
import { BuyDocument } from "../../generated/graphql.ts";
import { useReading } from "../../graphql/use-reading.ts";
import { Decision } from "./decision.tsx";
import type { Created, Paid } from "./outcome.ts";
import { PurchaseForm } from "./purchase-form.tsx";
import { type PurchaseDraft, problemsOf, readPurchase, searchOf } from "./read-purchase.ts";
import { Receipt } from "./receipt.tsx";
import { TokenHandover } from "./token-handover.tsx";

type Outcome = { readonly paid: Paid } | { readonly created: Created };

/** One payment, asked for by a link: paid now, or handed on to an agent as a token. */
export default function BuyPage() {
  const asked = useReading({ query: BuyDocument, requestPolicy: "cache-first" }, ({ viewer }) => viewer ?? undefined);
  const { shown: viewer, failure, again } = asked;
  const search = useSearch();
  const [, navigate] = useLocation();
  const [isEditing, setIsEditing] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  function show(next: Outcome | null) {
    setOutcome(next);
    startReading();
  }

  if (outcome && "paid" in outcome) {
    return <Receipt paid={outcome.paid} merchantUrl={readPurchase(search).merchant} onAgain={() => show(null)} />;
  }
  if (outcome) return <TokenHandover created={outcome.created} onAgain={() => show(null)} />;
  if (!viewer) {
    return (
      <>
        <PageTitle>One payment</PageTitle>
        <FailureNotice failure={failure} onRetry={again} />
        {!failure && <SkeletonRows count={4} />}
      </>
    );
  }

  const draft = readPurchase(search);
  const networks = viewer.wallet.networks;
  const problems = problemsOf(draft, networks);
  function edited(changed: PurchaseDraft) {
    navigate(`${PATHS.buy}?${searchOf(changed)}`, { replace: true });
    setIsEditing(false);
  }
  if (isEditing || Object.keys(problems).length > 0) {
    // A page opened without anything asks; it does not begin with a reproach.
    const isBlank = draft.merchant === "" && !isEditing;
    return (
      <PurchaseForm draft={draft} networks={networks} problems={isBlank ? {} : problems} key={search} onDone={edited} />
    );
  }
  return (
    <Decision
      key={search}
      draft={draft}
      account={viewer.account}
      creditUsd={viewer.wallet.creditUsd}
      onAskAgain={again}
      onEdit={() => setIsEditing(true)}
      onPaid={(paid) => show({ paid })}
      onCreated={(created) => show({ created })}
    />
  );
}
