/** Redirects to the sign-in page and back. */
import { PATHS } from "./paths.ts";
import { shownAccountId } from "./use-account-change.ts";

/** Returns the URL of the sign-in page. After sign-in it redirects to `returnTo`, by default the current page. */
export function signInUrl(returnTo: string = location.pathname + location.search): string {
  return `${PATHS.signIn}?${new URLSearchParams({ return_to: returnTo })}`;
}

/** Returns the sign-in URL with the id of the account shown, because only that account may return to this page. */
function sameAccountSignInUrl(): string {
  const id = shownAccountId();
  const isSharedLink = SHARED_LINK_PATHS.some((path) => location.pathname.startsWith(path));
  return signInUrl() + (id === undefined || isSharedLink ? "" : `&${new URLSearchParams({ account: id })}`);
}

/** Pages reached by a shared link. Any account may open them after sign-in. */
const SHARED_LINK_PATHS = [PATHS.buy, PATHS.approve.replace(":approvalId", "")];

/** Pages that need no session. The holder of a live view link may watch the checkout. */
const PUBLIC_PATHS = [PATHS.signIn, PATHS.consent, PATHS.device, PATHS.recover, PATHS.live.replace(":orderId", "")];

/** Opens the sign-in page, which names the account now signed in and links back to this page. */
export function showSignedInAccount(): void {
  location.replace(signInUrl());
}

let isSigningOut = false;

/**
 * Marks that the user is signing out, so that the sign-in page gets no `return_to`. Any response may be the first to report
 * the ended session.
 * @returns a function that clears the mark, for a sign-out that failed
 */
export function beginSignOut(): () => void {
  isSigningOut = true;
  return () => {
    isSigningOut = false;
  };
}

/** Loads the sign-in page, unless the current page needs no session. The full load discards all cached data. */
export function redirectToSignIn(): void {
  if (isSigningOut) location.replace(PATHS.signIn);
  else if (!PUBLIC_PATHS.some((path) => location.pathname.startsWith(path))) location.replace(sameAccountSignInUrl());
}

/** Returns the path to open after sign-in: `returnTo` if it is a path of this site, otherwise the overview. */
export function safeReturnTo(returnTo: string | null | undefined, siteOrigin: string = location.origin): string {
  if (!returnTo?.startsWith("/") || !URL.canParse(returnTo, siteOrigin)) return PATHS.overview;
  const { origin, pathname } = new URL(returnTo, siteOrigin);
  // Dot segments may resolve to another host: `/.//evil.example`.
  return origin === siteOrigin && !pathname.startsWith("//") ? returnTo : PATHS.overview;
}
