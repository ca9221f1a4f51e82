import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { FailureNotice, Notice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { useToast } from "../../components/toasts.tsx";
import { WordForWord } from "../../components/word-for-word.tsx";
import { CreateCheckoutPolicyDocument, type StartCheckoutPolicyMutation } from "../../generated/graphql.ts";
import type { Failure, SuccessOf } from "../../graphql/match-result.ts";
import { signShown } from "../../graphql/sign-shown.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { NeedsPasskey } from "../security/needs-passkey.tsx";
import { type OwnCard, PolicyWords } from "./policy-words.tsx";
import { readPolicyDocument } from "./read-policy.ts";

export type StartedPolicy = SuccessOf<StartCheckoutPolicyMutation["startCheckoutPolicy"]>;

/** What is about to be signed, in words and word for word. */
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
  /** Another one is in force. */
  readonly replaces: boolean;
  readonly onBack: () => void;
  readonly onSigned: () => void;
  readonly onPasskeyAdded: () => void;
}) {
  const create = useOperation(CreateCheckoutPolicyDocument);
  const [isAsking, setIsAsking] = useState(false);
  const [refusal, setRefusal] = useState<Failure | null>(null);
  const toast = useToast();
  const policy = readPolicyDocument(started.document);
  async function sign() {
    setRefusal(null);
    create.clear();
    setIsAsking(true);
    const { response, failure } = await signShown(started.document, started.options);
    setIsAsking(false);
    if (!response) return setRefusal(failure);
    const { value } = await create.run({ input: { attemptId: started.attemptId, response } });
    if (!value) return;
    toast("Signed. The policy is in force.");
    onSigned();
  }
  return (
    <div className="max-w-2xl">
      <PageTitle>Sign this policy?</PageTitle>
      <p className="mt-1 mb-5 text-muted">
        Your agents may then buy, without asking you, whatever is within all of this.
        {replaces && " It takes the place of the policy in force; what was used of day and month stays used."}
      </p>
      {policy ? (
        <PolicyWords policy={policy} cards={cards} />
      ) : (
        <Notice tone="caution" title="This cannot be signed">
          This page does not know all of what would be signed. Load the page again.
        </Notice>
      )}
      <WordForWord document={started.document} isOpen={policy === null} />
      {!hasPasskey && <NeedsPasskey account={account} what="Signing" onAdded={onPasskeyAdded} />}
      <div className="mt-4">
        <FailureNotice failure={refusal ?? create.failure} />
      </div>
      <div className="sticky bottom-0 mt-2 grid grid-cols-2 gap-3 bg-paper py-3">
        <Button onClick={onBack}>Back, sign nothing</Button>
        <Button
          isBusy={isAsking || create.isRunning}
          disabled={policy === null || !hasPasskey}
          onClick={() => void sign()}
        >
          {isAsking || create.isRunning ? "Waiting for you…" : "Sign with passkey"}
        </Button>
      </div>
    </div>
  );
}
