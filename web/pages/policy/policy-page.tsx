import { useState } from "react";
import { Link } from "wouter";
import { PATHS } from "../../app/paths.ts";
import { Button } from "../../components/button.tsx";
import { focusPageTop } from "../../components/focus-page-top.ts";
import { Empty, FailureNotice, Notice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import {
  ApprovalOrderMovesDocument,
  CheckoutPolicyDocument,
  type CheckoutPolicyQuery,
  StartCheckoutPolicyDocument,
  type StartCheckoutPolicyInput,
} from "../../generated/graphql.ts";
import { nodesOf } from "../../graphql/nodes.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { useReading } from "../../graphql/use-reading.ts";
import { useResumableSubscription } from "../../graphql/use-resumable-subscription.ts";
import { ActionRequired } from "../orders/action-required.tsx";
import { EMPTY_POLICY, type PolicyDraft, toDraft } from "./policy-draft.ts";
import { PolicyForm } from "./policy-form.tsx";
import { readPolicyDocument } from "./read-policy.ts";
import { SignPolicy, type StartedPolicy } from "./sign-policy.tsx";
import { StandingPolicy } from "./standing-policy.tsx";

/** Standing policy of the account: purchases within it need no approval. The owner signs it with a passkey. */
export default function PolicyPage() {
  const reading = useReading({ query: CheckoutPolicyDocument }, ({ viewer }) => viewer ?? undefined);
  const { shown: viewer, failure, again } = reading;
  useResumableSubscription(ApprovalOrderMovesDocument, {
    onEvent({ orderUpdated: { cursor } }) {
      again();
      return cursor;
    },
    onLost: again,
  });
  if (viewer) return <PolicyView viewer={viewer} onChanged={again} />;
  return (
    <>
      <PageTitle>Policy</PageTitle>
      <FailureNotice failure={failure} onRetry={again} />
      {!failure && <SkeletonRows count={6} />}
    </>
  );
}

type Step =
  | { readonly name: "reading" }
  | { readonly name: "writing"; readonly draft: PolicyDraft }
  | { readonly name: "signing"; readonly draft: PolicyDraft; readonly started: StartedPolicy };

function PolicyView({
  viewer,
  onChanged,
}: {
  readonly viewer: NonNullable<CheckoutPolicyQuery["viewer"]>;
  readonly onChanged: () => void;
}) {
  const [step, setStep] = useState<Step>({ name: "reading" });
  const start = useOperation(StartCheckoutPolicyDocument);
  const policy = viewer.checkoutPolicy;
  const cards = nodesOf(viewer.cards);
  function go(next: Step) {
    start.clear();
    setStep(next);
    focusPageTop();
  }
  async function startSigning(input: StartCheckoutPolicyInput, draft: PolicyDraft) {
    const { value } = await start.run({ input });
    if (value) go({ name: "signing", draft, started: value });
  }

  if (step.name === "signing") {
    return (
      <SignPolicy
        started={step.started}
        cards={cards}
        account={viewer.account}
        hasPasskey={nodesOf(viewer.passkeys).length > 0}
        replaces={policy?.isInForce ?? false}
        onBack={() => go({ name: "writing", draft: step.draft })}
        onSigned={() => {
          onChanged();
          go({ name: "reading" });
        }}
        onPasskeyAdded={() => {
          onChanged();
          // The signing challenge lists the allowed passkeys, so it must be created again.
          go({ name: "writing", draft: step.draft });
        }}
      />
    );
  }
  if (step.name === "writing") {
    return (
      <>
        <PageTitle>{policy ? "Replace policy" : "Create policy"}</PageTitle>
        <p className="mt-1 mb-6 max-w-[72ch] text-muted">
          Define which purchases need no approval. The policy takes effect after you review and sign it.
        </p>
        <PolicyForm
          first={step.draft}
          cards={cards}
          failure={start.failure}
          isBusy={start.isRunning}
          onCompleted={(input, draft) => void startSigning(input, draft)}
          onCancelled={() => go({ name: "reading" })}
        />
      </>
    );
  }
  const terms = policy ? readPolicyDocument(policy.document) : null;
  return (
    <>
      <PageTitle
        aside={
          <Button
            look={policy ? "plain" : "primary"}
            onClick={() => go({ name: "writing", draft: terms ? toDraft(terms) : EMPTY_POLICY })}
          >
            {policy ? "Replace policy" : "Create policy"}
          </Button>
        }
      >
        Policy
      </PageTitle>
      <p className="mt-1 mb-6 max-w-[72ch] text-muted">
        Your agents can make purchases within the policy without approval. All other purchases require your passkey.
      </p>
      {cards.length === 0 && (
        <Notice tone="caution">
          No cards yet.{" "}
          <Link href={PATHS.newCard} className="text-leather underline underline-offset-3">
            Add a card
          </Link>
        </Notice>
      )}
      <ActionRequired />
      {policy ? (
        <StandingPolicy policy={policy} cards={cards} onRevoked={onChanged} />
      ) : (
        <div className="mt-6">
          <Empty>
            No policy yet. Every order requires your passkey. Create a policy to allow purchases within limits.
          </Empty>
        </div>
      )}
    </>
  );
}
