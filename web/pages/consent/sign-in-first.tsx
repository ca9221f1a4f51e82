import { SignInPanel } from "../sign-in/sign-in-panel.tsx";
import { AppHeader, type AuthorizationRequest, includesPayments, RequestedScopes } from "./app-header.tsx";

/** Sign-in for an authorization request. Shows the app and the requested permissions, but no account data. */
export function SignInFirst({
  request,
  onSignedIn,
}: {
  readonly request: AuthorizationRequest;
  readonly onSignedIn: () => void;
}) {
  return (
    <div className="-mt-4">
      <AppHeader request={request} verb={includesPayments(request) ? "requests payment access" : "requests access"} />
      <RequestedScopes request={request} />
      <p className="mt-4 mb-3">Sign in to decide. Signing in does not grant access.</p>
      <SignInPanel
        returnTo={location.pathname + location.search}
        email={request.loginHint ?? null}
        onSignedIn={onSignedIn}
      />
    </div>
  );
}
