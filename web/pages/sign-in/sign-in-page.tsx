import { useCallback } from "react";
import { useQuery } from "urql";
import { useSearch } from "wouter/use-browser-location";
import { PATHS } from "../../app/paths.ts";
import { safeReturnTo } from "../../app/sign-in-link.ts";
import { Notice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { ShellDocument, type SignedInFragment } from "../../generated/graphql.ts";
import { SignInPanel } from "./sign-in-panel.tsx";

/** Messages by the error code of an upstream sign-in. */
const UPSTREAM_FAILURES: Readonly<Record<string, string>> = {
  access_denied: "The provider denied access. You are not signed in.",
  rate_limited: "Too many sign-in attempts from your network. Wait a few minutes.",
  upstream_not_configured: "Sign-in with a provider is not configured here. Use another method.",
};
const UPSTREAM_FAILED = "Sign-in with the provider failed. Retry, or use another method.";

export default function SignInPage() {
  const search = new URLSearchParams(useSearch());
  const returnTo = safeReturnTo(search.get("return_to"));
  const ownerId = search.get("account");
  const error = search.get("error");
  // A full page load discards all cached data.
  const enter = useCallback(
    ({ viewer, returnTo: storedReturnTo }: SignedInFragment) =>
      location.assign(destinationPath(viewer.account.id, ownerId, safeReturnTo(storedReturnTo ?? returnTo))),
    [returnTo, ownerId],
  );
  return (
    <>
      <PageTitle>Sign in</PageTitle>
      <p className="mt-1 mb-6 text-muted">A new email address creates a new account.</p>
      <StillSignedIn returnTo={returnTo} ownerId={ownerId} />
      {error && (
        <div role="alert" className="mb-6">
          <Notice tone="bad">{UPSTREAM_FAILURES[error] ?? UPSTREAM_FAILED}</Notice>
        </div>
      )}
      <SignInPanel returnTo={returnTo} onSignedIn={enter} />
    </>
  );
}

/** Returns the path after sign-in. If another account signed in than the one that was left, it starts at the overview. */
function destinationPath(accountId: string, ownerId: string | null, returnTo: string): string {
  return ownerId === null || ownerId === accountId ? returnTo : PATHS.overview;
}

/** Notice that the browser is already signed in, for example from another tab. Another account can still sign in. */
function StillSignedIn({ returnTo, ownerId }: { readonly returnTo: string; readonly ownerId: string | null }) {
  const [{ data }] = useQuery({ query: ShellDocument });
  const account = data?.viewer?.account;
  return (
    <div role="status" className="not-empty:mb-6">
      {account && (
        <Notice>
          <p>
            You are signed in as{" "}
            <strong className="font-semibold wrap-anywhere">
              {account.email ?? account.displayName ?? "an account"}
            </strong>
            .{" "}
            <a
              href={destinationPath(account.id, ownerId, returnTo)}
              className="text-leather underline underline-offset-3"
            >
              Continue
            </a>
          </p>
        </Notice>
      )}
    </div>
  );
}
