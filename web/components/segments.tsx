import { useId } from "react";

/** Segmented control: radio buttons side by side. */
export function Segments<Value extends string>({
  legend,
  choices,
  value,
  onChange,
}: {
  readonly legend: string;
  readonly choices: readonly { readonly value: Value; readonly text: string }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}) {
  const name = useId();
  return (
    <fieldset className="flex rounded-md border border-line text-small">
      <legend className="sr-only">{legend}</legend>
      {choices.map((choice) => (
        <label
          key={choice.value}
          className="cursor-pointer px-3 py-1 text-muted first-of-type:rounded-l-md last-of-type:rounded-r-md has-checked:bg-soft has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-leather"
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          {choice.text}
        </label>
      ))}
    </fieldset>
  );
}
