import { useId } from "react";
import type { OAuthClientKind } from "../../generated/graphql.ts";

export const KINDS: Readonly<Record<OAuthClientKind, { readonly name: string; readonly meaning: string }>> = {
  CONFIDENTIAL: { name: "A server", meaning: "It can keep its secret. Access tokens live 30 days." },
  PUBLIC: {
    name: "In a browser, on a phone, or a command",
    meaning: "It cannot keep a secret, so PKCE is mandatory. Access tokens live 60 days.",
  },
  AUTOMATION: { name: "An automation", meaning: "A workflow that runs by itself. Access tokens live a year." },
};

/** Where the app runs; it cannot change later. */
export function KindChoice({
  kind,
  error,
  onChange,
}: {
  readonly kind: OAuthClientKind | "";
  readonly error: string | undefined;
  readonly onChange: (kind: OAuthClientKind) => void;
}) {
  const id = useId();
  return (
    <div
      role="radiogroup"
      aria-labelledby={`${id}-legend`}
      aria-invalid={error ? true : undefined}
      aria-describedby={error && `${id}-error`}
    >
      <p id={`${id}-legend`} className="mb-1 font-medium">
        Where it runs
      </p>
      <div className="grid gap-2">
        {(Object.keys(KINDS) as OAuthClientKind[]).map((value) => (
          <label
            key={value}
            className="flex cursor-pointer items-start gap-3 rounded-md border border-line p-3 has-checked:border-leather"
          >
            <input
              type="radio"
              name={id}
              checked={kind === value}
              onChange={() => onChange(value)}
              className="mt-1 size-4 shrink-0 accent-leather"
            />
            <span>
              {KINDS[value].name}
              <span className="block text-small text-muted">{KINDS[value].meaning}</span>
            </span>
          </label>
        ))}
      </div>
      <p className="mt-1 text-small text-muted">This cannot change later.</p>
      {error && (
        <p id={`${id}-error`} className="text-small text-bad">
          {error}
        </p>
      )}
    </div>
  );
}
