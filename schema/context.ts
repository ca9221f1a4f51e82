/** Resolver context of a request. `/graphql` and the REST routes use the same type. */
import type { Readable } from "node:stream";
import type { AdministrationDeps } from "../src/accounts/administration/perform-act.ts";
import { authenticate, readCredential } from "../src/accounts/authenticate.ts";
import type { CredentialCreatedDeps } from "../src/accounts/credential-created.ts";
import { authenticateLoginToken } from "../src/accounts/login-token-viewer.ts";
import { type CookieUse, formatSessionCookie } from "../src/accounts/session-cookie.ts";
import { rotateSession } from "../src/accounts/sessions.ts";
import { readBrowserSecret } from "../src/accounts/sign-in/browser-cookie.ts";
import type { SignInDeps } from "../src/accounts/sign-in/deps.ts";
import { readKnownBrowserCookie } from "../src/accounts/sign-in/known-browser.ts";
import { InvalidTokenError } from "../src/accounts/token-kind.ts";
import { asSession, requireAccount, type Viewer } from "../src/accounts/viewer.ts";
import type { CredentialDeps } from "../src/agents/credentials/deps.ts";
import type { AgentDeps } from "../src/agents/deps.ts";
import type { ApprovalDeps, CardDeps, ExploreDeps } from "../src/checkout/deps.ts";
import type { EventDeps } from "../src/events/deps.ts";
import type { GatewayDeps } from "../src/gateway/deps.ts";
import type { AgentMailDeps } from "../src/mail/deps.ts";
import type { OAuthDeps } from "../src/oauth/deps.ts";
import type { PaymentDeps } from "../src/payments/deps.ts";
import type { PersonalDataDeps } from "../src/personal-data/deps.ts";
import { UnauthorizedError } from "../src/platform/errors.ts";
import type { AccessNote } from "../src/platform/http/access-log.ts";
import { formatChallenge } from "../src/platform/http/challenge.ts";
import type { RateLimit } from "../src/platform/rate-limit.ts";
import type { TradeDeps } from "../src/trade/deps.ts";
import type { FreeCreditDeps } from "../src/wallet/free-credit.ts";
import { NETWORK_NAMES } from "../src/wallet/networks.ts";
import type { TreasuryDeps } from "../src/wallet/treasury.ts";
import { extractId, readGlobalId } from "./global-id.ts";

/** Dependencies of all use cases behind the schema. */
export type SchemaDeps = PaymentDeps &
  AdministrationDeps &
  TreasuryDeps &
  FreeCreditDeps &
  TradeDeps &
  GatewayDeps &
  SignInDeps &
  AgentDeps &
  CredentialCreatedDeps &
  CredentialDeps &
  AgentMailDeps &
  EventDeps &
  ExploreDeps &
  CardDeps &
  ApprovalDeps &
  PersonalDataDeps &
  OAuthDeps;

/** Response of a target, passed to the transport instead of the GraphQL result. */
export interface ProxiedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** The body as a stream, or as text if it is already complete. */
  readonly body: Readable | string;
}

/** Exchange proxied by the transport: it forwards the request bytes unchanged and streams the response. */
export interface ProxiedExchange {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly bytes: Uint8Array; readonly contentType: string } | null;
  readonly signal: AbortSignal;
  /**
   * Resolves with whether the transport wrote its whole response to the client. Absent: the body counts as delivered once the
   * transport has read it.
   */
  readonly delivered?: Promise<boolean>;
  /** Whether an equal exchange without an idempotency key pays nothing while this one is in flight. Default false. */
  readonly isExclusive?: boolean;
  onBody(response: ProxiedResponse): void;
}

export interface Context {
  readonly deps: SchemaDeps;
  /** The caller; null if unauthenticated. A sign-in or sign-out changes it for the rest of the operation. */
  viewer: Viewer | null;
  /** Whether the request had a credential, valid or not. */
  readonly hasCredential: boolean;
  readonly requestId: string;
  /** Path of the request, which determines the protected resource. */
  readonly path: string;
  readonly startedAt: Date;
  /** The `Idempotency-Key` header. An `idempotencyKey` in the input takes precedence. */
  readonly idempotencyKey: string | null;
  /** The caller's IP address; null if the transport does not provide it. */
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** The secret in the cookie that binds a sign-in attempt to its browser. */
  browserSecret: string | null;
  /** The cookie of a browser that signed in before, unverified. */
  readonly knownBrowser: string | null;
  /** Adds a header to the response, such as a cookie; null if the transport has no response headers. */
  readonly addHeader: ((name: string, value: string) => void) | null;
  /** Signal that aborts when the client disconnects; null if the transport cannot detect that. */
  readonly disconnected: (() => AbortSignal) | null;
  /** Set by the REST proxy and by tools that relay a response. */
  readonly exchange: ProxiedExchange | null;
  /** Rate limit that counted this request before its operation ran. The operation does not count it again. */
  counted: { readonly bucket: string; readonly rateLimit: RateLimit } | null;
  /** Whether the operation belongs to one of the service's own routes, which have no complexity limit. */
  readonly isTrusted: boolean;
}

/** What a token that is restricted to a resource or bound to a key is checked against. */
export interface RequestTarget {
  /** Null on a WebSocket. */
  readonly method: string | null;
  /** Path, with or without the query. */
  readonly url: string;
}

/** Request in a form common to all transports. `viewer` is set if the connection is already authenticated. */
export interface ContextRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly requestId: string;
  /** Absent: tokens that are restricted to requests are not accepted. */
  readonly target?: RequestTarget | undefined;
  readonly viewer?: Viewer | null | undefined;
  /** Receives the caller, for the access log. */
  readonly access?: AccessNote;
  readonly ip?: string;
  /**
   * Accepted credentials. `payer` (default): any credential of an account. `account`: any except a one-time purchase token.
   * `login_token`: a login identity token, which only one route accepts.
   */
  readonly accepts?: "payer" | "account" | "login_token";
  /** Use of the browser's session cookie; default `same-origin`, as for the service's own pages. */
  readonly cookies?: CookieUse;
  readonly addHeader?: ((name: string, value: string) => void) | undefined;
  readonly isTrusted?: boolean;
  readonly disconnected?: (() => AbortSignal) | undefined;
}

export type CreateContext = (request: ContextRequest) => Promise<Context>;

/**
 * Returns a function that creates contexts. It authenticates each request's credential without a cache: revocation has
 * immediate effect. It throws UnauthorizedError for a one-time purchase token where only `account` is accepted. It does the
 * same if the page shows another account than the session's.
 */
export function createContextFactory(deps: SchemaDeps): CreateContext {
  return async ({
    headers,
    requestId,
    target,
    viewer,
    ip,
    cookies = "same-origin",
    accepts = "payer",
    isTrusted = false,
    disconnected,
    addHeader,
    access,
  }) => {
    const key = headers["idempotency-key"];
    const userAgent = headers["user-agent"];
    const { isHttps } = deps.site;
    const isLogin = accepts === "login_token";
    const credential = viewer === undefined && !isLogin ? readCredential(headers, cookies, isHttps) : null;
    const path = target?.url.split("?", 1)[0] ?? "/";
    const request = target ? { headers, method: target.method, path, site: deps.site } : null;
    const findViewer = async () => {
      if (isLogin) return await authenticateLoginToken(deps, headers["authorization"], NETWORK_NAMES);
      try {
        return await authenticate(deps, credential, request);
      } catch (error) {
        if (error instanceof InvalidTokenError)
          addHeader?.("www-authenticate", formatChallenge(deps.site, path, error.challenge));
        throw error;
      }
    };
    const caller = viewer === undefined ? await findViewer() : viewer;
    if (access) access.loggedCaller = caller;
    if (accepts === "account" && caller?.kind === "account") requireAccount(caller);
    checkShownAccount(headers["x-satchel-account"], caller);
    if (credential !== null && addHeader) await rotateIfDue(deps, caller, credential, addHeader);
    return {
      deps,
      viewer: caller,
      hasCredential: caller !== null || credential !== null,
      requestId,
      path,
      startedAt: new Date(),
      idempotencyKey: typeof key === "string" ? key : null,
      ip: ip ?? null,
      userAgent: typeof userAgent === "string" ? userAgent : null,
      browserSecret: cookies === "none" ? null : readBrowserSecret(headers, cookies, isHttps),
      knownBrowser: cookies === "none" ? null : readKnownBrowserCookie(headers, isHttps),
      addHeader: addHeader ?? null,
      disconnected: disconnected ?? null,
      exchange: null,
      counted: null,
      isTrusted,
    };
  };
}

/** Compares the account that the page shows with the session's: another user may have signed in in another tab. */
function checkShownAccount(shown: string | string[] | undefined, viewer: Viewer | null): void {
  const session = asSession(viewer);
  if (typeof shown !== "string" || !session) return;
  if (extractId("Account", readGlobalId(shown), "X-Satchel-Account") !== session.accountId) {
    throw new UnauthorizedError(
      "This browser is now signed in to another account. The request was not processed. Reload the page.",
    );
  }
}

/** Rotates the secret of a browser session that is due, one day after the previous rotation. */
async function rotateIfDue(
  deps: SchemaDeps,
  viewer: Viewer | null,
  secret: string,
  addHeader: (name: string, value: string) => void,
): Promise<void> {
  if (viewer?.kind !== "account" || !(viewer.rotationDueAtMs !== undefined && viewer.rotationDueAtMs <= Date.now())) {
    return;
  }
  const rotated = await rotateSession(deps, viewer.credentialId, secret);
  if (!rotated) return;
  const { isHttps } = deps.site;
  addHeader("set-cookie", formatSessionCookie(rotated.secret, { isHttps, maxAgeSeconds: rotated.maxAgeSeconds }));
}
