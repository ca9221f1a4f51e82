/** Between a GraphQL request and the browser behind it: cookies. */
import { authenticate } from "../src/accounts/authenticate.ts";
import { sessionSetCookie } from "../src/accounts/session-cookie.ts";
import { SESSION_LIFETIME_MS } from "../src/accounts/sessions.ts";
import { browserSetCookie } from "../src/accounts/sign-in/browser-cookie.ts";
import type { Entered, StartedAttempt, Visitor } from "../src/accounts/sign-in/deps.ts";
import { requireAccount } from "../src/accounts/viewer.ts";
import { InvalidRequestError } from "../src/platform/errors.ts";
import type { Context } from "./context.ts";

/**
 * The browser that signs in. Its answer must be able to carry a cookie.
 * @throws {InvalidRequestError} over a WebSocket or an event stream
 */
export function visitorOf({ viewer, ip, userAgent, browserSecret, addHeader }: Context): Visitor {
  if (!addHeader) throw new InvalidRequestError("Sign in over a plain HTTP request: the answer sets a cookie.");
  return { viewer, ip, userAgent, browserSecret };
}

/** Ties the attempt to the browser: from here on, and for what else this operation begins. */
export function keepBrowser<Started extends StartedAttempt>(context: Context, started: Started): Started {
  context.browserSecret = started.browserSecret;
  context.addHeader?.("set-cookie", browserSetCookie(started.browserSecret, context.deps.site.isHttps));
  return started;
}

/** Signs the browser in. What else the operation asks, it asks as whoever is signed in now. */
export async function enter(context: Context, entered: Entered) {
  const { deps, addHeader } = context;
  const maxAgeSeconds = SESSION_LIFETIME_MS / 1000;
  addHeader?.("set-cookie", sessionSetCookie(entered.secret, { isHttps: deps.site.isHttps, maxAgeSeconds }));
  context.viewer = await authenticate(deps, entered.secret);
  return { ...entered, viewer: requireAccount(context.viewer) };
}

/** Takes the session's cookie away. */
export function leave(context: Context): void {
  const { isHttps } = context.deps.site;
  context.addHeader?.("set-cookie", sessionSetCookie(null, { isHttps, maxAgeSeconds: 0 }));
  context.viewer = null;
}
