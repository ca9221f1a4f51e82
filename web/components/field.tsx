import { type ComponentProps, type ReactNode, useId } from "react";

const CONTROL =
  "block w-full rounded-md border border-muted bg-paper px-3 text-ink placeholder:text-muted aria-invalid:border-bad disabled:opacity-60";

interface FieldTexts {
  readonly label: ReactNode;
  /** Help for filling in the field. */
  readonly hint?: ReactNode;
  /** Validation error. */
  readonly error?: string | undefined;
  /** Unit shown at the right of the field, such as a currency. */
  readonly unit?: string;
  /** Element beside the field, such as the button of a one-line form. */
  readonly aside?: ReactNode;
}

function useFieldAttributes({ hint, error }: FieldTexts) {
  const id = useId();
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ");
  return { id, "aria-describedby": describedBy || undefined, "aria-invalid": error ? true : undefined };
}

function FieldFrame({
  id,
  label,
  hint,
  error,
  aside,
  children,
}: FieldTexts & { readonly id: string; readonly children: ReactNode }) {
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}
      </label>
      {aside ? (
        <div className="flex gap-2">
          <div className="min-w-0 flex-1">{children}</div>
          {aside}
        </div>
      ) : (
        children
      )}
      {error && (
        <p id={`${id}-error`} className="mt-1 text-small text-bad">
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-small text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

/** Single-line text field with label, hint and error. */
export function TextField({
  label,
  hint,
  error,
  unit,
  aside,
  className = "",
  ...input
}: FieldTexts & ComponentProps<"input">) {
  const attributes = useFieldAttributes({ label, hint, error });
  return (
    <FieldFrame id={attributes.id} label={label} hint={hint} error={error} aside={aside}>
      <div className="relative">
        <input {...input} {...attributes} className={`${CONTROL} h-11 ${unit ? "pr-14" : ""} ${className}`} />
        {unit && (
          <span aria-hidden="true" className="absolute inset-y-0 right-3 flex items-center text-small text-muted">
            {unit}
          </span>
        )}
      </div>
    </FieldFrame>
  );
}

/** Field for a USD amount as an exact decimal. Empty means no amount. */
export function UsdField(props: FieldTexts & ComponentProps<"input">) {
  return (
    <TextField
      inputMode="decimal"
      autoComplete="off"
      pattern="[0-9]+(\.[0-9]{1,6})?"
      title="An amount such as 5 or 0.25"
      unit="USD"
      className="figures"
      {...props}
    />
  );
}

export function TextArea({ label, hint, error, className = "", ...input }: FieldTexts & ComponentProps<"textarea">) {
  const attributes = useFieldAttributes({ label, hint, error });
  return (
    <FieldFrame id={attributes.id} label={label} hint={hint} error={error}>
      <textarea {...input} {...attributes} className={`${CONTROL} min-h-24 py-2 ${className}`} />
    </FieldFrame>
  );
}

export function SelectField({
  label,
  hint,
  error,
  className = "",
  children,
  ...input
}: FieldTexts & ComponentProps<"select">) {
  const attributes = useFieldAttributes({ label, hint, error });
  return (
    <FieldFrame id={attributes.id} label={label} hint={hint} error={error}>
      <select {...input} {...attributes} className={`${CONTROL} h-11 ${className}`}>
        {children}
      </select>
    </FieldFrame>
  );
}

/** Checkbox with its label. */
export function Checkbox({ label, className = "", ...input }: { readonly label: ReactNode } & ComponentProps<"input">) {
  return (
    <label className={`flex min-h-8 items-center gap-2.5 ${className}`}>
      <input type="checkbox" {...input} className="size-4.5 shrink-0 accent-leather" />
      <span>{label}</span>
    </label>
  );
}

/** Fieldset with a legend and a hint. */
export function FieldGroup({
  legend,
  hint,
  children,
}: {
  readonly legend: string;
  readonly hint?: string;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <fieldset aria-describedby={hint && id}>
      <legend className="mb-1 font-medium">{legend}</legend>
      {children}
      {hint && (
        <p id={id} className="mt-1 text-small text-muted">
          {hint}
        </p>
      )}
    </fieldset>
  );
}
