import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { ExactDocument } from "../../components/exact-document.tsx";
import { FailureNotice, Notice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { useToast } from "../../components/toasts.tsx";
import { CreateCheckoutPolicyDocument, type StartCheckoutPolicyMutation } from "../../generated/graphql.ts";
import type { Failure, SuccessOf } from "../../graphql/match-result.ts";
import { signShownDocument } from "../../graphql/sign-shown-document.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { NeedsPasskey } from "../security/needs-passkey.tsx";
import { type OwnCard, PolicyTerms } from "./policy-terms.tsx";
import { readPolicyDocument } from "./read-policy.ts";

export type StartedPolicy = SuccessOf<StartCheckoutPolicyMutation["startCheckoutPolicy"]>;

/** Review of a policy before signing, in words and as raw document. */
export function SignPolicy({
  started,
  cards,
  account,
  hasPasskey,
  replaces,
  onBack,
  onSigned,
  onPasskeyAdded,
}: {
  readonly started: StartedPolicy;
  readonly cards: readonly OwnCard[];
  readonly account: { readonly id: string; readonly email: string | null };
  readonly hasPasskey: boolean;
  /** Whether a policy is in force. */
  readonly replaces: boolean;
  readonly onBack: () => void;
  readonly onSigned: () => void;
  readonly onPasskeyAdded: () => void;
}) {
  const create = useOperation(CreateCheckoutPolicyDocument);
  const [isPrompting, setIsPrompting] = useState(false);
  const [signFailure, setSignFailure] = useState<Failure | null>(null);
  const toast = useToast();
  const policy = readPolicyDocument(started.document);
  async function sign() {
    setSignFailure(null);
    create.clear();
    setIsPrompting(true);
    const { response, failure } = await signShownDocument(started.document, started.options);
    setIsPrompting(false);
    if (!response) return setSignFailure(failure);
    const { value } = await create.run({ input: { attemptId: started.attemptId, response } });
    if (!value) return;
    toast("Policy signed and in force.");
    onSigned();
  }
  return (
    <div className="max-w-2xl">
      <PageTitle>Review policy</PageTitle>
      <p className="mt-1 mb-5 text-muted">
        After you sign, your agents can make any purchase within these terms without approval.
        {replaces && " It replaces the current policy. Amounts already used today and this month still count."}
      </p>
      {policy ? (
        <PolicyTerms policy={policy} cards={cards} />
      ) : (
        <Notice tone="caution" title="This policy cannot be signed">
          The document contains members that this page cannot display. Reload the page.
        </Notice>
      )}
      <ExactDocument document={started.document} isOpen={policy === null} />
      {!hasPasskey && <NeedsPasskey account={account} what="Signing" onAdded={onPasskeyAdded} />}
      <div className="mt-4">
        <FailureNotice failure={signFailure ?? create.failure} />
      </div>
      <div className="sticky bottom-0 mt-2 grid grid-cols-2 gap-3 bg-paper py-3">
        <Button onClick={onBack}>Back</Button>
        <Button
          isBusy={isPrompting || create.isRunning}
          disabled={policy === null || !hasPasskey}
          onClick={() => void sign()}
        >
          {isPrompting || create.isRunning ? "Waiting for passkey…" : "Sign with passkey"}
        </Button>
      </div>
    </div>
  );
}
