/** Browser cookies of a GraphQL request. */
import { authenticate } from "../src/accounts/authenticate.ts";
import { formatSessionCookie } from "../src/accounts/session-cookie.ts";
import { SESSION_LIFETIME_MS } from "../src/accounts/sessions.ts";
import { formatBrowserCookie } from "../src/accounts/sign-in/browser-cookie.ts";
import type { SignInResult, StartedAttempt, Visitor } from "../src/accounts/sign-in/deps.ts";
import { issueKnownBrowserCookie } from "../src/accounts/sign-in/known-browser.ts";
import { requireAccount } from "../src/accounts/viewer.ts";
import { InvalidRequestError } from "../src/platform/errors.ts";
import type { Context } from "./context.ts";

/**
 * Returns the browser that signs in.
 * @throws {InvalidRequestError} over a WebSocket or an event stream, whose responses cannot set a cookie
 */
export function requireVisitor({ viewer, ip, userAgent, browserSecret, knownBrowser, addHeader }: Context): Visitor {
  if (!addHeader) throw new InvalidRequestError("Sign-in requires a plain HTTP request: the response sets a cookie.");
  return { viewer, ip, userAgent, browserSecret, knownBrowser };
}

/** Binds the sign-in attempt to the browser with a cookie, also for the rest of this operation. */
export function setBrowserCookie<Started extends StartedAttempt>(context: Context, started: Started): Started {
  context.browserSecret = started.browserSecret;
  context.addHeader?.("set-cookie", formatBrowserCookie(started.browserSecret, context.deps.site.isHttps));
  return started;
}

/** Sets the session cookie. The rest of the operation runs as the signed-in account. */
export async function setSessionCookie(context: Context, entered: SignInResult) {
  const { deps, addHeader } = context;
  const maxAgeSeconds = SESSION_LIFETIME_MS / 1000;
  addHeader?.("set-cookie", formatSessionCookie(entered.secret, { isHttps: deps.site.isHttps, maxAgeSeconds }));
  context.viewer = await authenticate(deps, entered.secret);
  const viewer = requireAccount(context.viewer);
  await setKnownBrowserCookie(context, viewer.accountId);
  return { ...entered, viewer };
}

/** Marks the browser as one that signed in to the account. */
export async function setKnownBrowserCookie({ deps, addHeader }: Context, accountId: string): Promise<void> {
  addHeader?.("set-cookie", await issueKnownBrowserCookie(deps, accountId));
}

/** Removes the session cookie. The rest of the operation runs unauthenticated. */
export function clearSessionCookie(context: Context): void {
  const { isHttps } = context.deps.site;
  context.addHeader?.("set-cookie", formatSessionCookie(null, { isHttps, maxAgeSeconds: 0 }));
  context.viewer = null;
}
