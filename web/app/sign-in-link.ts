/** The way to the sign-in page and back. */
import { PATHS } from "./paths.ts";
import { shownAccountId } from "./use-same-account.ts";

/** The sign-in page's address, and where it returns to: by default, here. */
export function signInUrl(returnTo: string = location.pathname + location.search): string {
  return `${PATHS.signIn}?${new URLSearchParams({ return_to: returnTo })}`;
}

/** The same for a page of one account, which is for nobody else to return to. */
function signInAgainUrl(): string {
  const id = shownAccountId();
  const isSent = SENT.some((path) => location.pathname.startsWith(path));
  return signInUrl() + (id === undefined || isSent ? "" : `&${new URLSearchParams({ account: id })}`);
}

/** Where links lead that somebody was sent: whoever signs in is to see them. */
const SENT = [PATHS.buy, PATHS.approve.replace(":approvalId", "")];

/** Pages that somebody who is signed out may stay on: checkouts are watched by whoever has the link. */
const OPEN = [PATHS.signIn, PATHS.consent, PATHS.live.replace(":orderId", "")];

/** Where somebody else has signed in meanwhile: it is said who, before they go on here. */
export function sayWhoIsSignedIn(): void {
  location.replace(signInUrl());
}

let isLeaving = false;

/**
 * They sign out themselves: nothing leads back to what they leave, whichever answer is the first to say that it is done.
 * @returns takes it back, where they could not
 */
export function leave(): () => void {
  isLeaving = true;
  return () => {
    isLeaving = false;
  };
}

/** Whoever is signed out is sent to sign in, once, and loses what the page knew. */
export function goToSignIn(): void {
  if (isLeaving) location.replace(PATHS.signIn);
  else if (!OPEN.some((path) => location.pathname.startsWith(path))) location.replace(signInAgainUrl());
}

/** Where to go after signing in: an address of this site, else the overview. */
export function safeReturnTo(given: string | null | undefined, here: string = location.origin): string {
  if (!given?.startsWith("/") || !URL.canParse(given, here)) return PATHS.overview;
  const { origin, pathname } = new URL(given, here);
  // Dots in a path may leave another host behind: `/.//evil.example`.
  return origin === here && !pathname.startsWith("//") ? given : PATHS.overview;
}
