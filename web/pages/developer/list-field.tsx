import { type ReactNode, useId } from "react";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import type { Problems } from "./draft.ts";

/** List of text fields with buttons to add and remove entries. */
export function ListField({
  name,
  legend,
  entryLabel,
  hint,
  placeholder,
  type = "text",
  entries,
  problems,
  isRequired = false,
  onChange,
}: {
  /** Key in `problems`: `redirectUris`, with `redirectUris.0` for the first entry. */
  readonly name: string;
  readonly legend: string;
  /** Label of an entry, to which its number is added: "Redirect URI 1". */
  readonly entryLabel: string;
  readonly hint: ReactNode;
  readonly placeholder: string;
  readonly type?: "text" | "email" | "url";
  readonly entries: readonly string[];
  readonly problems: Problems;
  readonly isRequired?: boolean;
  readonly onChange: (entries: readonly string[]) => void;
}) {
  const id = useId();
  const isRemovable = !isRequired || entries.length > 1;
  return (
    <fieldset aria-describedby={id}>
      <legend className="font-medium">{legend}</legend>
      <p id={id} className="text-small text-muted">
        {hint}
      </p>
      <ul className="mt-2 grid gap-3">
        {entries.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an entry is identified by its position
          <li key={index} className="flex items-end gap-2">
            <div className="min-w-0 flex-1">
              <TextField
                label={<span className="text-small font-normal text-muted">{`${entryLabel} ${index + 1}`}</span>}
                type={type}
                placeholder={placeholder}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                error={problems[`${name}.${index}`]}
                value={entry}
                onChange={({ currentTarget }) => onChange(entries.with(index, currentTarget.value))}
              />
            </div>
            {isRemovable && (
              <Button
                aria-label={`Remove ${entryLabel} ${index + 1}`}
                className={problems[`${name}.${index}`] ? "self-center" : ""}
                onClick={() => onChange(entries.toSpliced(index, 1))}
              >
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
      {problems[name] && <p className="mt-1 text-small text-bad">{problems[name]}</p>}
      <Button size="small" className="mt-2" onClick={() => onChange([...entries, ""])}>
        {entries.length === 0 ? `Add ${entryLabel}` : "Add another"}
      </Button>
    </fieldset>
  );
}
