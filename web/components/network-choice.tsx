import { useId } from "react";
import { Checkbox } from "./field.tsx";
import { Network } from "./network.tsx";

/** Networks of which several may be chosen. */
export function NetworkChoice({
  legend,
  hint,
  error,
  networks,
  chosen,
  onChange,
}: {
  readonly legend: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly networks: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}) {
  const id = useId();
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ");
  return (
    <fieldset aria-describedby={describedBy || undefined}>
      <legend className="font-medium">{legend}</legend>
      <div className="grid grid-cols-2 gap-x-4">
        {networks.map((name) => (
          <Checkbox
            key={name}
            label={<Network name={name} />}
            checked={chosen.includes(name)}
            aria-invalid={error ? true : undefined}
            onChange={({ currentTarget }) =>
              onChange(networks.filter((other) => (other === name ? currentTarget.checked : chosen.includes(other))))
            }
          />
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} className="text-small text-bad">
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="text-small text-muted">
          {hint}
        </p>
      )}
    </fieldset>
  );
}
