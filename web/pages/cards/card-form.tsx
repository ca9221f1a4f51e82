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
import { type CardTexts, type Expiry, readCardTexts, readExpiry } from "./read-card-form.ts";

const FIELDS = ["number", "expMonth", "expYear", "securityCode", "cardholderName", "nickname"];

/** Card form. Inputs are uncontrolled and read once, on submit, so card numbers are never in React state. */
export function CardForm({
  card,
  keepsSecurityCodes,
  failure,
  isBusy,
  submitText,
  aside,
  onSubmit,
}: {
  /** Card to edit. Null for a new card. */
  readonly card: CardRowFragment | null;
  readonly keepsSecurityCodes: boolean;
  readonly failure: Failure | null;
  readonly isBusy: boolean;
  readonly submitText: string;
  /** Content beside the submit button. */
  readonly aside: ReactNode;
  readonly onSubmit: (texts: CardTexts, expiry: Expiry) => void;
}) {
  const [problem, setProblem] = useState<string | null>(null);
  const isShownAtField =
    FIELDS.some((field) => failureAt(failure, field)) || (failure?.field?.includes("billingAddress") ?? false);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const texts = readCardTexts(new FormData(event.currentTarget));
    const expiry = readExpiry(texts.expiry);
    setProblem(expiry ? null : "Enter month and year as on the card, such as 04/28.");
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
        hint="The address on your card statements. For your default card it is also the default delivery address."
      >
        <AddressFields
          address={card?.billingAddress ?? null}
          errorAt={(field) => failureAt(failure, `billingAddress.${field}`)}
        />
      </Section>
      <div className="mt-4">
        <FailureNotice failure={isShownAtField || needsProof(failure) ? null : failure} />
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
