import { listCountries } from "../../components/countries.ts";
import { SelectField, TextField } from "../../components/field.tsx";
import type { PostalAddress } from "../../components/postal-address.ts";

/** Fields of a billing address, with autocomplete tokens for browsers. */
export function AddressFields({
  address,
  errorAt,
}: {
  readonly address: PostalAddress | null;
  readonly errorAt: (field: keyof PostalAddress) => string | undefined;
}) {
  const field = (name: keyof PostalAddress, autoComplete: string) => ({
    name,
    autoComplete: `billing ${autoComplete}`,
    maxLength: 255,
    defaultValue: address?.[name] ?? "",
    error: errorAt(name),
  });
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField label="First name" required {...field("firstName", "given-name")} />
      <TextField label="Last name" required {...field("lastName", "family-name")} />
      <TextField label="Street and number" required {...field("address1", "address-line1")} />
      <TextField label="Flat, floor (optional)" {...field("address2", "address-line2")} />
      <TextField label="Company (optional)" {...field("company", "organization")} />
      <TextField label="City" required {...field("city", "address-level2")} />
      <TextField label="Postal code" required {...field("postalCode", "postal-code")} />
      <TextField label="State or province (optional)" placeholder="CA" {...field("provinceCode", "address-level1")} />
      <SelectField label="Country" required {...field("countryCode", "country")}>
        <option value="">Choose a country</option>
        {listCountries().map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField label="Phone (optional)" type="tel" {...field("phone", "tel")} />
    </div>
  );
}
