import { SelectField, TextField } from "../../components/field.tsx";
import { listCurrencies } from "../../components/minor-units.ts";
import type { PolicyDraft, PolicyProblems } from "./policy-draft.ts";

const LIMITS = [
  ["perOrder", "Limit per order"],
  ["daily", "Daily limit"],
  ["monthly", "Monthly limit"],
] as const;

/** Currency and limits of the policy. All fields are empty by default. */
export function LimitFields({
  draft,
  problems,
  onChange,
}: {
  readonly draft: PolicyDraft;
  readonly problems: PolicyProblems;
  readonly onChange: (changed: Partial<PolicyDraft>) => void;
}) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <div className="sm:col-span-2">
        <SelectField
          label="Currency"
          hint="Orders in other currencies require approval."
          error={problems.currency}
          value={draft.currency}
          onChange={({ currentTarget }) => onChange({ currency: currentTarget.value })}
        >
          <option value="">Choose a currency</option>
          {listCurrencies().map(({ code, name }) => (
            <option key={code} value={code}>{`${name} (${code})`}</option>
          ))}
        </SelectField>
      </div>
      {LIMITS.map(([field, label]) => (
        <TextField
          key={field}
          label={label}
          inputMode="decimal"
          autoComplete="off"
          className="figures"
          unit={draft.currency}
          error={problems[field]}
          value={draft[field]}
          onChange={({ currentTarget }) => onChange({ [field]: currentTarget.value })}
        />
      ))}
    </div>
  );
}
