import type { CardBudgetDraft, CardBudgetProblems } from "./card-budget-draft.ts";
import { SelectField, TextField } from "./field.tsx";
import { listCurrencies } from "./minor-units.ts";

const CHOICES = {
  LIMITS: "The limits above, in USD",
  OWN: "Other limits",
  POLICY: "The checkout policy alone",
} as const;

const AMOUNTS = [
  ["perOrder", "Card limit per order"],
  ["daily", "Daily card limit"],
  ["monthly", "Monthly card limit"],
] as const;

/** Limits for orders by card. */
export function CardBudgetFields({
  draft,
  problems,
  isNew,
  onChange,
}: {
  readonly draft: CardBudgetDraft;
  readonly problems: CardBudgetProblems;
  /** Whether the token or grant is new. Only then its limits in US dollars can become its card budget. */
  readonly isNew: boolean;
  readonly onChange: (draft: CardBudgetDraft) => void;
}) {
  const choices = (["LIMITS", "OWN", "POLICY"] as const).filter((choice) => isNew || choice !== "LIMITS");
  return (
    <div className="grid gap-3">
      <SelectField
        label="Limits for orders by card"
        hint="The checkout policy always applies. Orders beyond these limits, or in another currency, require your approval."
        value={draft.choice}
        onChange={({ currentTarget }) =>
          onChange({ ...draft, choice: currentTarget.value as CardBudgetDraft["choice"] })
        }
      >
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {CHOICES[choice]}
          </option>
        ))}
      </SelectField>
      {draft.choice === "OWN" && (
        <div className="grid gap-3 sm:grid-cols-2">
          <SelectField
            label="Currency"
            error={problems.currency}
            value={draft.currency}
            onChange={({ currentTarget }) => onChange({ ...draft, currency: currentTarget.value })}
          >
            <option value="">Choose a currency</option>
            {listCurrencies().map(({ code, name }) => (
              <option key={code} value={code}>{`${name} (${code})`}</option>
            ))}
          </SelectField>
          {AMOUNTS.map(([field, label]) => (
            <TextField
              key={field}
              label={label}
              inputMode="decimal"
              autoComplete="off"
              className="figures"
              unit={draft.currency}
              error={problems[field]}
              value={draft[field]}
              onChange={({ currentTarget }) => onChange({ ...draft, [field]: currentTarget.value })}
            />
          ))}
        </div>
      )}
    </div>
  );
}
