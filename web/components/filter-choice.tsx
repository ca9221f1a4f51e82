import { SelectField } from "./field.tsx";

/** Select field that filters a list by one option. `all` is the text of the empty option. */
export function FilterChoice({
  label,
  all,
  options,
  value,
  onChoose,
}: {
  readonly label: string;
  readonly all: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly value: string | null | undefined;
  readonly onChoose: (value: string) => void;
}) {
  return (
    <SelectField label={label} value={value ?? ""} onChange={({ target }) => onChoose(target.value)}>
      <option value="">{all}</option>
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </SelectField>
  );
}
