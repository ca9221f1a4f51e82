import { useMemo } from "react";
import { listCountries } from "../../components/countries.ts";
import { Checkbox, SelectField, TextArea, TextField } from "../../components/field.tsx";
import type { Draft, Problems } from "./draft.ts";
import { KindChoice } from "./kind-choice.tsx";
import { ListField } from "./list-field.tsx";

interface StepProps {
  readonly draft: Draft;
  readonly problems: Problems;
  readonly onChange: (changes: Partial<Draft>) => void;
}

/** Step 1: responsible person. */
export function ResponsibleFields({ draft, problems, onChange }: StepProps) {
  const countries = useMemo(listCountries, []);
  return (
    <>
      <TextField
        label="Full name"
        autoComplete="name"
        error={problems["fullName"]}
        value={draft.fullName}
        onChange={({ currentTarget }) => onChange({ fullName: currentTarget.value })}
      />
      <TextField
        label="Phone"
        type="tel"
        autoComplete="tel"
        hint="With country code, for example +351 210 000 000"
        error={problems["phone"]}
        value={draft.phone}
        onChange={({ currentTarget }) => onChange({ phone: currentTarget.value })}
      />
      <SelectField
        label="Country"
        autoComplete="country"
        error={problems["country"]}
        value={draft.country}
        onChange={({ currentTarget }) => onChange({ country: currentTarget.value })}
      >
        <option value="" />
        {countries.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextArea
        label="Postal address"
        autoComplete="street-address"
        error={problems["address"]}
        value={draft.address}
        onChange={({ currentTarget }) => onChange({ address: currentTarget.value })}
      />
    </>
  );
}

/** Step 2: details shown to users. */
export function AppFields({ draft, problems, onChange }: StepProps) {
  return (
    <>
      <TextField
        label="App name"
        maxLength={60}
        autoComplete="off"
        hint="Shown to users when your app requests access."
        error={problems["appName"]}
        value={draft.appName}
        onChange={({ currentTarget }) => onChange({ appName: currentTarget.value })}
      />
      <TextField
        label="Support email"
        type="email"
        autoComplete="email"
        hint="Shown to users as a contact for help."
        error={problems["supportEmail"]}
        value={draft.supportEmail}
        onChange={({ currentTarget }) => onChange({ supportEmail: currentTarget.value })}
      />
      <ListField
        name="contactEmails"
        legend="Contacts (optional)"
        entryLabel="Contact"
        hint="Notified about reviews. Default: the support address."
        placeholder="ada@app.example"
        type="email"
        entries={draft.contactEmails}
        problems={problems}
        onChange={(contactEmails) => onChange({ contactEmails })}
      />
    </>
  );
}

/** Redirect URIs and origins of step 3. */
export function AddressFields({ draft, problems, onChange }: StepProps) {
  return (
    <>
      <ListField
        name="redirectUris"
        legend="Redirect URIs"
        entryLabel="Redirect URI"
        hint="One per environment. Matched exactly: no wildcards, no fragments, https except for loopback addresses."
        placeholder="https://app.example/callback"
        type="url"
        entries={draft.redirectUris}
        problems={problems}
        isRequired
        onChange={(redirectUris) => onChange({ redirectUris })}
      />
      <ListField
        name="javascriptOrigins"
        legend="JavaScript origins (optional)"
        entryLabel="Origin"
        hint="Origins from which browsers may call Satchel: scheme, host and port only."
        placeholder="https://app.example"
        type="url"
        entries={draft.javascriptOrigins}
        problems={problems}
        onChange={(javascriptOrigins) => onChange({ javascriptOrigins })}
      />
    </>
  );
}

/** Step 3: app type, redirect URIs and origins. */
export function OAuthFields(props: StepProps) {
  const { draft, problems, onChange } = props;
  return (
    <>
      <KindChoice kind={draft.kind} error={problems["kind"]} onChange={(kind) => onChange({ kind })} />
      <AddressFields {...props} />
      <Checkbox
        label="Enforce scopes: the app can do only what users grant. Otherwise the consent page states what else it can do."
        checked={draft.strictScopes}
        onChange={({ currentTarget }) => onChange({ strictScopes: currentTarget.checked })}
      />
      <div>
        <Checkbox
          label="I accept the terms: the app requests access honestly, protects its secret and pays only what users allowed."
          checked={draft.acceptTerms}
          aria-invalid={problems["acceptTerms"] ? true : undefined}
          onChange={({ currentTarget }) => onChange({ acceptTerms: currentTarget.checked })}
        />
        {problems["acceptTerms"] && <p className="text-small text-bad">{problems["acceptTerms"]}</p>}
      </div>
    </>
  );
}
