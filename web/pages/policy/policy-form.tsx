import { type FormEvent, useState } from "react";
import { Button } from "../../components/button.tsx";
import { cardName } from "../../components/card-name.ts";
import { countryName, listCountries } from "../../components/countries.ts";
import { Actions } from "../../components/dialog.tsx";
import { Checkbox, FieldGroup, SelectField, TextField } from "../../components/field.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { Section } from "../../components/section.tsx";
import type { StartCheckoutPolicyInput } from "../../generated/graphql.ts";
import { type Failure, messageBelowLabel } from "../../graphql/match-result.ts";
import { LimitFields } from "./limit-fields.tsx";
import { MerchantChoice, SelectedEntries } from "./merchant-choice.tsx";
import { endDateRange, FORM_FIELDS, type PolicyDraft, type PolicyProblems, readDraft } from "./policy-draft.ts";
import type { OwnCard } from "./policy-terms.tsx";

/** Form for the terms of a policy. The defaults require approval. */
export function PolicyForm({
  first,
  cards,
  failure,
  isBusy,
  onCompleted,
  onCancelled,
}: {
  readonly first: PolicyDraft;
  readonly cards: readonly OwnCard[];
  readonly failure: Failure | null;
  readonly isBusy: boolean;
  readonly onCompleted: (input: StartCheckoutPolicyInput, draft: PolicyDraft) => void;
  readonly onCancelled: () => void;
}) {
  const [draft, setDraft] = useState(first);
  const [clientProblems, setClientProblems] = useState<PolicyProblems>({});
  const failedField = FORM_FIELDS[failure?.field?.split(".").at(-1) ?? ""];
  const problems: PolicyProblems =
    failedField && failure ? { ...clientProblems, [failedField]: messageBelowLabel(failure) } : clientProblems;
  const change = (changed: Partial<PolicyDraft>) => setDraft({ ...draft, ...changed });
  const { first: firstDay, last: lastDay } = endDateRange();
  function submit(event: FormEvent) {
    event.preventDefault();
    const read = readDraft(draft);
    setClientProblems("problems" in read ? read.problems : {});
    if ("input" in read) onCompleted(read.input, draft);
  }
  return (
    <form onSubmit={submit} noValidate className="max-w-2xl">
      <LimitFields draft={draft} problems={problems} onChange={change} />
      <Section title="Merchants">
        <div className="grid gap-4">
          <FieldGroup legend="Allowed merchants">
            <Choice
              name="merchants"
              isSome={draft.allowed !== null}
              any="Any merchant"
              some="Only selected merchants"
              onChoose={(isSome) => change({ allowed: isSome ? [] : null })}
            />
          </FieldGroup>
          {draft.allowed && (
            <MerchantChoice
              label="Merchants to allow"
              error={problems.allowed}
              chosen={draft.allowed}
              onChange={(allowed) => change({ allowed })}
            />
          )}
          <MerchantChoice
            label="Merchants to block (optional)"
            error={problems.blocked}
            chosen={draft.blocked}
            onChange={(blocked) => change({ blocked })}
          />
          <Countries
            chosen={draft.countries}
            error={problems.countries}
            onChange={(countries) => change({ countries })}
          />
          <Checkbox
            label="Allow first purchases at a merchant"
            checked={draft.allowsNewMerchants}
            onChange={({ currentTarget }) => change({ allowsNewMerchants: currentTarget.checked })}
          />
        </div>
      </Section>
      <Section title="Delivery and cards">
        <div className="grid gap-4">
          <Checkbox
            label="Allow delivery to other addresses"
            checked={draft.allowsOtherAddresses}
            onChange={({ currentTarget }) => change({ allowsOtherAddresses: currentTarget.checked })}
          />
          <FieldGroup legend="Allowed cards">
            <Choice
              name="cards"
              isSome={draft.cardIds !== null}
              any="Any card"
              some="Only selected cards"
              onChoose={(isSome) => change({ cardIds: isSome ? [] : null })}
            />
            {draft.cardIds &&
              cards.map((card) => (
                <Checkbox
                  key={card.id}
                  className="pl-7"
                  label={`${cardName(card)}${card.nickname === null ? "" : `, ${card.nickname}`}`}
                  checked={draft.cardIds?.includes(card.cardId) ?? false}
                  aria-invalid={problems.cardIds ? true : undefined}
                  onChange={({ currentTarget }) => {
                    const others = draft.cardIds?.filter((id) => id !== card.cardId) ?? [];
                    change({ cardIds: currentTarget.checked ? [...others, card.cardId] : others });
                  }}
                />
              ))}
            {problems.cardIds && <p className="text-small text-bad">{problems.cardIds}</p>}
          </FieldGroup>
        </div>
      </Section>
      <Section title="Validity">
        <TextField
          label="Last day"
          type="date"
          min={firstDay}
          max={lastDay}
          hint="Ends at the end of that day in UTC, one year from now at the latest. You can revoke the policy at any time."
          error={problems.until}
          value={draft.until}
          onChange={({ currentTarget }) => change({ until: currentTarget.value })}
        />
      </Section>
      <div className="mt-4">
        <FailureNotice failure={failedField ? null : failure} />
      </div>
      <Actions>
        <Button onClick={onCancelled}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={isBusy}>
          Review
        </Button>
      </Actions>
    </form>
  );
}

/** Radio buttons for "any" and "only selected". */
function Choice({
  name,
  isSome,
  any,
  some,
  onChoose,
}: {
  readonly name: string;
  readonly isSome: boolean;
  readonly any: string;
  readonly some: string;
  readonly onChoose: (isSome: boolean) => void;
}) {
  return [any, some].map((label, at) => (
    <label key={label} className="flex min-h-8 items-center gap-2.5">
      <input
        type="radio"
        name={name}
        checked={isSome === (at === 1)}
        onChange={() => onChoose(at === 1)}
        className="size-4.5 shrink-0 accent-leather"
      />
      <span>{label}</span>
    </label>
  ));
}

function Countries({
  chosen,
  error,
  onChange,
}: {
  readonly chosen: readonly string[];
  readonly error: string | undefined;
  readonly onChange: (chosen: readonly string[]) => void;
}) {
  return (
    <div className="grid gap-2">
      <SelectField
        label="Merchant countries (optional)"
        hint={chosen.length === 0 ? "Default: any country." : undefined}
        error={error}
        value=""
        onChange={({ currentTarget }) => currentTarget.value && onChange([...chosen, currentTarget.value])}
      >
        <option value="">Add a country</option>
        {listCountries()
          .filter(({ code }) => !chosen.includes(code))
          .map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
      </SelectField>
      <SelectedEntries
        label="Chosen countries"
        entries={chosen.map((id) => ({ id, name: countryName(id), shown: countryName(id) }))}
        onRemove={(id) => onChange(chosen.filter((other) => other !== id))}
      />
    </div>
  );
}
