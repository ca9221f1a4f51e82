import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Actions } from "../../components/dialog.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { Section } from "../../components/section.tsx";
import type { CardRowFragment } from "../../generated/graphql.ts";
import { type Failure, failureAt } from "../../graphql/match-result.ts";
import { needsProof } from "../security/proof-dialog.tsx";
import { AddressFields } from "./address-fields.tsx";
import { CardFields } from "./card-fields.tsx";
import { type CardTexts, type Expiry, readExpiry, textsOf } from "./read-card-form.ts";

const FIELDS = ["number", "expMonth", "expYear", "securityCode", "cardholderName", "nickname"];

/** A card's form. What is typed stays in the page's own fields, and is read once, when it is sent. */
export function CardForm({
  card,
  keepsSecurityCodes,
  failure,
  isBusy,
  submitText,
  aside,
  onSubmit,
}: {
  /** Null for a new one. */
  readonly card: CardRowFragment | null;
  readonly keepsSecurityCodes: boolean;
  readonly failure: Failure | null;
  readonly isBusy: boolean;
  readonly submitText: string;
  /** Beside the button that sends. */
  readonly aside: ReactNode;
  readonly onSubmit: (texts: CardTexts, expiry: Expiry) => void;
}) {
  const [problem, setProblem] = useState<string | null>(null);
  const isPlaced =
    FIELDS.some((field) => failureAt(failure, field)) || (failure?.field?.includes("billingAddress") ?? false);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const texts = textsOf(new FormData(event.currentTarget));
    const expiry = readExpiry(texts.expiry);
    setProblem(expiry ? null : "Write month and year as on the card, such as 04/28.");
    if (expiry) onSubmit(texts, expiry);
  }
  return (
    <form onSubmit={submit} className="max-w-2xl">
      <CardFields
        card={card}
        keepsSecurityCodes={keepsSecurityCodes}
        errorAt={(field) => (field === "expiry" ? (problem ?? undefined) : failureAt(failure, field))}
      />
      <Section
        title="Billing address"
        hint="Where its statements go. While the card is your default, orders are delivered there unless you say otherwise."
      >
        <AddressFields
          address={card?.billingAddress ?? null}
          errorAt={(field) => failureAt(failure, `billingAddress.${field}`)}
        />
      </Section>
      <div className="mt-4">
        <FailureNotice failure={isPlaced || needsProof(failure) ? null : failure} />
      </div>
      <Actions>
        {aside}
        <Button type="submit" look="primary" isBusy={isBusy}>
          {submitText}
        </Button>
      </Actions>
    </form>
  );
}
