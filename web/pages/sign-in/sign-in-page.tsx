import { useCallback } from "react";
import { useQuery } from "urql";
import { useSearch } from "wouter/use-browser-location";
import { PATHS } from "../../app/paths.ts";
import { safeReturnTo } from "../../app/sign-in-link.ts";
import { Notice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { ShellDocument, type SignedInFragment } from "../../generated/graphql.ts";
import { SignInPanel } from "./sign-in-panel.tsx";

/** What a journey to another provider may come back with. */
const UPSTREAM_FAILURES: Readonly<Record<string, string>> = {
  access_denied: "The other site said no, so you are not signed in.",
  rate_limited: "Too many have tried to sign in from your network. Wait a few minutes.",
  upstream_not_configured: "Signing in through another site is not set up here. Use one of these ways.",
};
const UPSTREAM_FAILED = "Signing in through the other site did not work. Try again, or use another way.";

export default function SignInPage() {
  const search = new URLSearchParams(useSearch());
  const returnTo = safeReturnTo(search.get("return_to"));
  const ownerId = search.get("account");
  const error = search.get("error");
  // A page of its own: nothing that was known before stays.
  const enter = useCallback(
    ({ viewer, returnTo: kept }: SignedInFragment) =>
      location.assign(placeOf(viewer.account.id, ownerId, safeReturnTo(kept ?? returnTo))),
    [returnTo, ownerId],
  );
  return (
    <>
      <PageTitle>Sign in</PageTitle>
      <p className="mt-1 mb-6 text-muted">A new e-mail address opens a new account.</p>
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

/** What was left of one account is not there for another, who begins at the overview. */
function placeOf(accountId: string, ownerId: string | null, returnTo: string): string {
  return ownerId === null || ownerId === accountId ? returnTo : PATHS.overview;
}

/** Whoever signed in meanwhile, in another tab perhaps, need not do it again; they may still sign in as somebody else. */
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
              {account.email ?? account.displayName ?? "somebody"}
            </strong>
            .{" "}
            <a href={placeOf(account.id, ownerId, returnTo)} className="text-leather underline underline-offset-3">
              Go on
            </a>
          </p>
        </Notice>
      )}
    </div>
  );
}
