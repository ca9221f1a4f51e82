import { useId } from "react";
import type { OAuthClientKind } from "../../generated/graphql.ts";

export const KINDS: Readonly<Record<OAuthClientKind, { readonly name: string; readonly description: string }>> = {
  CONFIDENTIAL: {
    name: "Server",
    description: "Confidential client with a secret. Access tokens expire after 60 days.",
  },
  PUBLIC: {
    name: "Browser app",
    description: "Public client without a secret, PKCE required. Access tokens expire after 30 days.",
  },
  NATIVE: {
    name: "Desktop, mobile or command-line app",
    description:
      "Public client without a secret, PKCE required. Loopback redirect URIs match with any port. Access tokens expire after 30 days.",
  },
  AUTOMATION: {
    name: "Automation",
    description: "Workflow without user interaction. Access tokens expire after one year.",
  },
};

/** Choice of the app type, which cannot change later. */
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
        App type
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
              <span className="block text-small text-muted">{KINDS[value].description}</span>
            </span>
          </label>
        ))}
      </div>
      <p className="mt-1 text-small text-muted">The app type cannot be changed later.</p>
      {error && (
        <p id={`${id}-error`} className="text-small text-bad">
          {error}
        </p>
      )}
    </div>
  );
}
