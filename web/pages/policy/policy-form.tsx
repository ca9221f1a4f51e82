import { type FormEvent, useState } from "react";
import { Button } from "../../components/button.tsx";
import { cardName } from "../../components/card-name.ts";
import { countryName, listCountries } from "../../components/countries.ts";
import { Actions } from "../../components/dialog.tsx";
import { Checkbox, FieldGroup, SelectField, TextField } from "../../components/field.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { Section } from "../../components/section.tsx";
import type { StartCheckoutPolicyInput } from "../../generated/graphql.ts";
import { type Failure, underLabel } from "../../graphql/match-result.ts";
import { LimitFields } from "./limit-fields.tsx";
import { daysOfEnd, PLACES, type PolicyDraft, type PolicyProblems, readDraft } from "./policy-draft.ts";
import type { OwnCard } from "./policy-words.tsx";
import { Chosen, ShopChoice } from "./shop-choice.tsx";

/** The terms of a policy. What is left alone asks first. */
export function PolicyForm({
  first,
  cards,
  failure,
  isBusy,
  onWritten,
  onLeave,
}: {
  readonly first: PolicyDraft;
  readonly cards: readonly OwnCard[];
  readonly failure: Failure | null;
  readonly isBusy: boolean;
  readonly onWritten: (input: StartCheckoutPolicyInput, draft: PolicyDraft) => void;
  readonly onLeave: () => void;
}) {
  const [draft, setDraft] = useState(first);
  const [own, setOwn] = useState<PolicyProblems>({});
  const place = PLACES[failure?.field?.split(".").at(-1) ?? ""];
  const problems: PolicyProblems = place && failure ? { ...own, [place]: underLabel(failure) } : own;
  const change = (changed: Partial<PolicyDraft>) => setDraft({ ...draft, ...changed });
  const { first: firstDay, last: lastDay } = daysOfEnd();
  function submit(event: FormEvent) {
    event.preventDefault();
    const read = readDraft(draft);
    setOwn("problems" in read ? read.problems : {});
    if ("input" in read) onWritten(read.input, draft);
  }
  return (
    <form onSubmit={submit} noValidate className="max-w-2xl">
      <LimitFields draft={draft} problems={problems} onChange={change} />
      <Section title="Shops">
        <div className="grid gap-4">
          <FieldGroup legend="Where it may buy">
            <Choice
              name="shops"
              isSome={draft.allowed !== null}
              any="At any shop"
              some="Only at these"
              onChoose={(isSome) => change({ allowed: isSome ? [] : null })}
            />
          </FieldGroup>
          {draft.allowed && (
            <ShopChoice
              label="Shops it may buy at"
              error={problems.allowed}
              chosen={draft.allowed}
              onChange={(allowed) => change({ allowed })}
            />
          )}
          <ShopChoice
            label="Shops that are excluded (optional)"
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
            label="Also at shops where nothing was bought before"
            checked={draft.mayBuyAtNewShops}
            onChange={({ currentTarget }) => change({ mayBuyAtNewShops: currentTarget.checked })}
          />
        </div>
      </Section>
      <Section title="Delivery and cards">
        <div className="grid gap-4">
          <Checkbox
            label="Also to other addresses than yours"
            checked={draft.maySendElsewhere}
            onChange={({ currentTarget }) => change({ maySendElsewhere: currentTarget.checked })}
          />
          <FieldGroup legend="What it may pay with">
            <Choice
              name="cards"
              isSome={draft.cardIds !== null}
              any="With any of your cards"
              some="Only with these"
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
      <Section title="How long">
        <TextField
          label="Its last day"
          type="date"
          min={firstDay}
          max={lastDay}
          hint="To the end of that day in UTC; a year at most. You can end it sooner at any time."
          error={problems.until}
          value={draft.until}
          onChange={({ currentTarget }) => change({ until: currentTarget.value })}
        />
      </Section>
      <div className="mt-4">
        <FailureNotice failure={place ? null : failure} />
      </div>
      <Actions>
        <Button onClick={onLeave}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={isBusy}>
          Read it before signing
        </Button>
      </Actions>
    </form>
  );
}

/** Anything, or only what is named. */
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
        label="Countries of shops (optional)"
        hint={chosen.length === 0 ? "Shops of any country, until you choose one." : undefined}
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
      <Chosen
        label="Chosen countries"
        entries={chosen.map((id) => ({ id, name: countryName(id), shown: countryName(id) }))}
        onRemove={(id) => onChange(chosen.filter((other) => other !== id))}
      />
    </div>
  );
}
