import { useId } from "react";
import { Checkbox } from "./field.tsx";
import { TEST_NETWORKS } from "./network.tsx";

const list = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** Checkboxes for a set of networks. */
export function NetworkChoice({
  legend,
  error,
  networks,
  chosen,
  onChange,
}: {
  readonly legend: string;
  readonly error?: string | undefined;
  readonly networks: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}) {
  const id = useId();
  const testNetworks = networks.filter((name) => TEST_NETWORKS.includes(name));
  const hint = testNetworks.length > 0 ? `${list.format(testNetworks)}: test money without value.` : null;
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ");
  return (
    <fieldset aria-describedby={describedBy || undefined}>
      <legend className="font-medium">{legend}</legend>
      <div className="flex flex-wrap gap-x-5">
        {networks.map((name) => (
          <Checkbox
            key={name}
            label={name}
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
