import { useState } from "react";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { FailureNotice, Notice } from "../../components/notice.tsx";
import { Price } from "../../components/price.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { useToast } from "../../components/toasts.tsx";
import { WordForWord } from "../../components/word-for-word.tsx";
import { RevokeCheckoutPolicyDocument, type ShownPolicyFragment } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { type OwnCard, PolicyWords } from "./policy-words.tsx";
import { readPolicyDocument } from "./read-policy.ts";

/** The policy that was signed last: its terms, what is used of it, and the way to end it. */
export function StandingPolicy({
  policy,
  cards,
  onEnded,
}: {
  readonly policy: ShownPolicyFragment;
  readonly cards: readonly OwnCard[];
  readonly onEnded: () => void;
}) {
  const [isEnding, setIsEnding] = useState(false);
  const terms = readPolicyDocument(policy.document);
  return (
    <>
      <Section
        title="What agents may buy without asking"
        hint={
          <>
            Signed <Time at={policy.createdAt} />, version {policy.version}.
          </>
        }
        aside={
          <div className="flex flex-wrap items-center gap-3">
            {policy.isInForce ? <Badge tone="good">In force</Badge> : <Badge tone="muted">Not in force</Badge>}
            <Button size="small" look="danger" onClick={() => setIsEnding(true)}>
              End it
            </Button>
          </div>
        }
      >
        <div className="max-w-2xl">
          {terms ? (
            <PolicyWords policy={terms} cards={cards} />
          ) : (
            <Notice tone="caution">This page does not know all of its terms. Word for word they stand below.</Notice>
          )}
          <WordForWord document={policy.document} isOpen={terms === null} />
        </div>
      </Section>
      {terms && (
        <Section title="Used of it" hint="Orders that are under way count, and what ended orders were charged.">
          <div className="grid gap-x-10 gap-y-4 sm:grid-cols-2">
            <Used name="Today" usedMinor={policy.dayUsedMinor} mostMinor={terms.daily_max_minor} {...policy} />
            <Used name="This month" usedMinor={policy.monthUsedMinor} mostMinor={terms.monthly_max_minor} {...policy} />
          </div>
        </Section>
      )}
      {isEnding && <EndDialog policy={policy} onClose={() => setIsEnding(false)} onEnded={onEnded} />}
    </>
  );
}

function Used({
  name,
  usedMinor,
  mostMinor,
  currency,
}: {
  readonly name: string;
  readonly usedMinor: number;
  readonly mostMinor: number;
  readonly currency: string;
}) {
  return (
    <div>
      <p className="text-small text-muted">{name}</p>
      <p>
        <Price amountMinor={usedMinor} currency={currency} size="lead" /> of{" "}
        <Price amountMinor={mostMinor} currency={currency} />
      </p>
      {/* Decoration: the words above say the same. */}
      <svg
        aria-hidden="true"
        viewBox="0 0 100 4"
        preserveAspectRatio="none"
        className="my-1 block h-1.5 w-full rounded-full"
      >
        <rect width="100" height="4" className="fill-line" />
        <rect width={Math.min(100, (usedMinor / mostMinor) * 100)} height="4" className="fill-leather" />
      </svg>
    </div>
  );
}

function EndDialog({
  policy,
  onClose,
  onEnded,
}: {
  readonly policy: ShownPolicyFragment;
  readonly onClose: () => void;
  readonly onEnded: () => void;
}) {
  const revoke = useOperation(RevokeCheckoutPolicyDocument);
  const toast = useToast();
  async function confirm() {
    const { value } = await revoke.run({ input: { id: policy.id } });
    if (!value) return;
    toast("Ended. Every order waits for your passkey now.");
    onEnded();
    onClose();
  }
  return (
    <ConfirmDialog
      isOpen
      title="End the policy?"
      description="From now on every order waits for your passkey. Orders that are under way go on."
      confirmText="End the policy"
      isBusy={revoke.isRunning}
      onClose={onClose}
      onConfirm={() => void confirm()}
    >
      <FailureNotice failure={revoke.failure} />
    </ConfirmDialog>
  );
}
