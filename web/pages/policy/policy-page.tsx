import { useState } from "react";
import { Link } from "wouter";
import { PATHS } from "../../app/paths.ts";
import { Button } from "../../components/button.tsx";
import { Empty, FailureNotice, Notice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { startReading } from "../../components/start-reading.ts";
import {
  ApprovalOrderMovesDocument,
  CheckoutPolicyDocument,
  type CheckoutPolicyQuery,
  StartCheckoutPolicyDocument,
  type StartCheckoutPolicyInput,
} from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { useReading } from "../../graphql/use-reading.ts";
import { useResumed } from "../../graphql/use-resumed.ts";
import { Waiting } from "../orders/waiting.tsx";
import { draftOf, EMPTY_POLICY, type PolicyDraft } from "./policy-draft.ts";
import { PolicyForm } from "./policy-form.tsx";
import { readPolicyDocument } from "./read-policy.ts";
import { SignPolicy, type StartedPolicy } from "./sign-policy.tsx";
import { StandingPolicy } from "./standing-policy.tsx";

/** What agents may buy without asking, signed with the passkey; anything else is asked for. */
export default function PolicyPage() {
  const reading = useReading({ query: CheckoutPolicyDocument }, ({ viewer }) => viewer ?? undefined);
  const { shown: viewer, failure, again } = reading;
  useResumed(ApprovalOrderMovesDocument, {
    onEvent({ ordersUpdated: { cursor } }) {
      again();
      return cursor;
    },
    onLost: again,
  });
  if (viewer) return <Shown viewer={viewer} onChanged={again} />;
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

function Shown({
  viewer,
  onChanged,
}: {
  readonly viewer: NonNullable<CheckoutPolicyQuery["viewer"]>;
  readonly onChanged: () => void;
}) {
  const [step, setStep] = useState<Step>({ name: "reading" });
  const start = useOperation(StartCheckoutPolicyDocument);
  const policy = viewer.checkoutPolicy;
  const cards = viewer.cards.edges.map(({ node }) => node);
  function go(next: Step) {
    start.clear();
    setStep(next);
    startReading();
  }
  async function written(input: StartCheckoutPolicyInput, draft: PolicyDraft) {
    const { value } = await start.run({ input });
    if (value) go({ name: "signing", draft, started: value });
  }

  if (step.name === "signing") {
    return (
      <SignPolicy
        started={step.started}
        cards={cards}
        account={viewer.account}
        hasPasskey={viewer.passkeys.edges.length > 0}
        replaces={policy?.isInForce ?? false}
        onBack={() => go({ name: "writing", draft: step.draft })}
        onSigned={() => {
          onChanged();
          go({ name: "reading" });
        }}
        onPasskeyAdded={() => {
          onChanged();
          // The passkeys that may sign are named when it is begun.
          go({ name: "writing", draft: step.draft });
        }}
      />
    );
  }
  if (step.name === "writing") {
    return (
      <>
        <PageTitle>{policy ? "Another policy" : "A policy"}</PageTitle>
        <p className="mt-1 mb-6 max-w-[72ch] text-muted">
          What agents may buy without asking you. Nothing is allowed by this page: you read it again, and then sign.
        </p>
        <PolicyForm
          first={step.draft}
          cards={cards}
          failure={start.failure}
          isBusy={start.isRunning}
          onWritten={(input, draft) => void written(input, draft)}
          onLeave={() => go({ name: "reading" })}
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
            onClick={() => go({ name: "writing", draft: terms ? draftOf(terms) : EMPTY_POLICY })}
          >
            {policy ? "Write another" : "Write a policy"}
          </Button>
        }
      >
        Policy
      </PageTitle>
      <p className="mt-1 mb-6 max-w-[72ch] text-muted">
        What your agents may buy at shops without asking you. Anything else waits for your passkey, one purchase at a
        time.
      </p>
      {cards.length === 0 && (
        <Notice tone="caution">
          There is no card to buy with yet.{" "}
          <Link href={PATHS.newCard} className="text-leather underline underline-offset-3">
            Add a card
          </Link>
        </Notice>
      )}
      <Waiting />
      {policy ? (
        <StandingPolicy policy={policy} cards={cards} onEnded={onChanged} />
      ) : (
        <div className="mt-6">
          <Empty>
            There is no policy: every order waits for your passkey. That is the safest, and works without one.
          </Empty>
        </div>
      )}
    </>
  );
}
