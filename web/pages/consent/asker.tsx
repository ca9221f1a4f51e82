import type { ReactNode } from "react";
import type { AuthorizationRequestQuery } from "../../generated/graphql.ts";

export type Request = NonNullable<AuthorizationRequestQuery["authorizationRequest"]>;

/** Whether any of it, now or before, is leave to pay. */
export function mayPay({ scopes, previous }: Request): boolean {
  return [...scopes.map(({ name }) => name), ...(previous?.scopes ?? [])].includes("payments:sign");
}

/** Who asks, in the title; where they send you, and who helps, under it. */
export function Asker({ request, verb }: { readonly request: Request; readonly verb: string }) {
  const { appName, supportEmail, redirectHost, isOwn } = request.client;
  const title = `${appName} ${verb}`;
  return (
    <>
      <title>{`${title} · Satchel`}</title>
      <h1 className="font-serif text-lead leading-tight font-semibold sm:text-title">{title}</h1>
      <p className="mt-1.5 text-small text-muted">
        {isOwn ? "Satchel’s own program. " : "Not made by Satchel. "}
        Sends you back to <Plain>{redirectHost ?? "an app on this device"}</Plain>
        {supportEmail && (
          <>
            . Help: <Plain>{supportEmail}</Plain>
          </>
        )}
      </p>
    </>
  );
}

function Plain({ children }: { readonly children: ReactNode }) {
  return <strong className="font-semibold wrap-anywhere text-ink">{children}</strong>;
}

/** What it is for, in words. */
export function Wishes({ request }: { readonly request: Request }) {
  return (
    <ul aria-label="What it asks for" className="mt-3 border-l-3 border-leather pl-3">
      {request.scopes.map(({ name, description }) => (
        <li key={name}>{description}</li>
      ))}
    </ul>
  );
}
