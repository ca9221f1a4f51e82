import { useState } from "react";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { ExactDocument } from "../../components/exact-document.tsx";
import { FailureNotice, Notice } from "../../components/notice.tsx";
import { Price } from "../../components/price.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { useToast } from "../../components/toasts.tsx";
import { RevokeCheckoutPolicyDocument, type ShownPolicyFragment } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { type OwnCard, PolicyTerms } from "./policy-terms.tsx";
import { readPolicyDocument } from "./read-policy.ts";

/** The current or last policy with its terms and usage, and a button to revoke it. */
export function StandingPolicy({
  policy,
  cards,
  onRevoked,
}: {
  readonly policy: ShownPolicyFragment;
  readonly cards: readonly OwnCard[];
  readonly onRevoked: () => void;
}) {
  const [isRevoking, setIsRevoking] = useState(false);
  const terms = readPolicyDocument(policy.document);
  return (
    <>
      <Section
        title="Terms"
        hint={
          <>
            Signed <Time at={policy.createdAt} />, version {policy.version}.
          </>
        }
        aside={
          <div className="flex flex-wrap items-center gap-3">
            {policy.isInForce ? <Badge tone="good">In force</Badge> : <Badge tone="muted">Not in force</Badge>}
            <Button size="small" look="danger" onClick={() => setIsRevoking(true)}>
              Revoke
            </Button>
          </div>
        }
      >
        <div className="max-w-2xl">
          {terms ? (
            <PolicyTerms policy={terms} cards={cards} />
          ) : (
            <Notice tone="caution">This page cannot display all terms. The raw document below is complete.</Notice>
          )}
          <ExactDocument document={policy.document} isOpen={terms === null} />
        </div>
      </Section>
      {terms && (
        <Section title="Usage" hint="Includes open orders and the charges of completed orders.">
          <div className="grid gap-x-10 gap-y-4 sm:grid-cols-2">
            <UsageBar name="Today" used={policy.dayUsed} limitMinor={terms.daily_max_minor} />
            <UsageBar name="This month" used={policy.monthUsed} limitMinor={terms.monthly_max_minor} />
          </div>
        </Section>
      )}
      {isRevoking && <RevokeDialog policy={policy} onClose={() => setIsRevoking(false)} onRevoked={onRevoked} />}
    </>
  );
}

function UsageBar({
  name,
  used,
  limitMinor,
}: {
  readonly name: string;
  readonly used: ShownPolicyFragment["dayUsed"];
  readonly limitMinor: number;
}) {
  return (
    <div>
      <p className="text-small text-muted">{name}</p>
      <p>
        <Price {...used} size="lead" /> of <Price amountMinor={limitMinor} currency={used.currency} />
      </p>
      {/* Decorative: the text above contains the same figures. */}
      <svg
        aria-hidden="true"
        viewBox="0 0 100 4"
        preserveAspectRatio="none"
        className="my-1 block h-1.5 w-full rounded-full"
      >
        <rect width="100" height="4" className="fill-line" />
        <rect width={Math.min(100, (used.amountMinor / limitMinor) * 100)} height="4" className="fill-leather" />
      </svg>
    </div>
  );
}

function RevokeDialog({
  policy,
  onClose,
  onRevoked,
}: {
  readonly policy: ShownPolicyFragment;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}) {
  const revoke = useOperation(RevokeCheckoutPolicyDocument);
  const toast = useToast();
  async function confirm() {
    const { value } = await revoke.run({ input: { id: policy.id } });
    if (!value) return;
    toast("Policy revoked. Every order requires your passkey.");
    onRevoked();
    onClose();
  }
  return (
    <ConfirmDialog
      isOpen
      title="Revoke policy?"
      description="Every new order will require your passkey. Orders in progress continue."
      confirmText="Revoke policy"
      isBusy={revoke.isRunning}
      onClose={onClose}
      onConfirm={() => void confirm()}
    >
      <FailureNotice failure={revoke.failure} />
    </ConfirmDialog>
  );
}
