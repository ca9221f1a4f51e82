import type { ReactNode } from "react";
import type { AuthorizationRequestQuery } from "../../generated/graphql.ts";

export type AuthorizationRequest = NonNullable<AuthorizationRequestQuery["authorizationRequest"]>;

/** Returns true if the requested or previously granted scopes include payments. */
export function includesPayments({ scopes, previous }: AuthorizationRequest): boolean {
  return [...scopes.map(({ name }) => name), ...(previous?.scopes ?? [])].includes("PAYMENTS_SIGN");
}

/** Header with the app name, its redirect host and its support address. */
export function AppHeader({ request, verb }: { readonly request: AuthorizationRequest; readonly verb: string }) {
  const { appName, supportEmail, redirectHost, isOwn, isSelfRegistered } = request.client;
  const title = `${appName} ${verb}`;
  if (isSelfRegistered) return <UnverifiedHeader request={request} title={title} />;
  return (
    <>
      <title>{`${title} · Satchel`}</title>
      <h1 className="font-serif text-lead leading-tight font-semibold sm:text-title">{title}</h1>
      <p className="mt-1.5 text-small text-muted">
        {isOwn ? "Official Satchel app. " : "Third-party app. "}
        {request.device ? (
          "Runs on another device"
        ) : (
          <>
            Redirects to <Emphasis>{redirectHost ?? "an app on this device"}</Emphasis>
          </>
        )}
        {supportEmail && (
          <>
            . Help: <Emphasis>{supportEmail}</Emphasis>
          </>
        )}
      </p>
    </>
  );
}

/** Header of an app that registered itself. The hosts are above the name, because the name is unverified. */
function UnverifiedHeader({ request, title }: { readonly request: AuthorizationRequest; readonly title: string }) {
  const { documentHost, redirectHost } = request.client;
  return (
    <>
      <title>{`${title} · Satchel`}</title>
      <p className="text-small">
        {documentHost === null ? "App without a verified site" : <Emphasis>{documentHost}</Emphasis>}
        {request.device ? (
          " · runs on another device"
        ) : (
          <>
            {" "}
            · redirects to <Emphasis>{redirectHost ?? "an app on this device"}</Emphasis>
          </>
        )}
      </p>
      <h1 className="mt-1.5 font-serif text-lead leading-tight font-semibold wrap-anywhere sm:text-title">{title}</h1>
      <p className="mt-1.5 text-small text-muted">
        Satchel has not verified the name.
        {request.isRestricted && " The app was not reviewed: it cannot order or trade."} Allow it only if you started
        this and know both addresses.
      </p>
    </>
  );
}

function Emphasis({ children }: { readonly children: ReactNode }) {
  return <strong className="font-semibold wrap-anywhere text-ink">{children}</strong>;
}

/** Requested permissions. */
export function RequestedScopes({ request }: { readonly request: AuthorizationRequest }) {
  return (
    <ul aria-label="Requested permissions" className="mt-3 border-l-3 border-leather pl-3">
      {request.scopes.map(({ name, description }) => (
        <li key={name}>{description}</li>
      ))}
    </ul>
  );
}
