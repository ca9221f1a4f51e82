/** What resolvers know about the request they serve. The same for `/graphql` and for the REST routes. */
import type { Readable } from "node:stream";
import { authenticate, credentialOf } from "../src/accounts/authenticate.ts";
import type { CredentialCreatedDeps } from "../src/accounts/credential-created.ts";
import { authenticateLoginToken } from "../src/accounts/login-token-viewer.ts";
import { type CookieUse, sessionSetCookie } from "../src/accounts/session-cookie.ts";
import { rotateSession } from "../src/accounts/sessions.ts";
import { browserSecretOf } from "../src/accounts/sign-in/browser-cookie.ts";
import type { SignInDeps } from "../src/accounts/sign-in/deps.ts";
import { requireAccount, sessionOf, type Viewer } from "../src/accounts/viewer.ts";
import type { CredentialDeps } from "../src/agents/credentials/deps.ts";
import type { AgentDeps } from "../src/agents/deps.ts";
import type { ApprovalDeps, CardDeps, ExploreDeps } from "../src/checkout/deps.ts";
import type { EventDeps } from "../src/events/deps.ts";
import type { GatewayDeps } from "../src/gateway/deps.ts";
import type { AgentMailDeps } from "../src/mail/deps.ts";
import type { PaymentDeps } from "../src/payments/deps.ts";
import { UnauthorizedError } from "../src/platform/errors.ts";
import type { RateLimit } from "../src/platform/rate-limit.ts";
import type { TradeDeps } from "../src/trade/deps.ts";
import { NETWORK_NAMES } from "../src/wallet/networks.ts";
import { idOf, readGlobalId } from "./global-id.ts";

/** Everything the use cases behind the schema take. */
export type SchemaDeps = PaymentDeps &
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
  ApprovalDeps;

/** An answer from elsewhere, handed to the transport instead of being put into the result. */
export interface CarriedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** As it comes, or where all of it is there, its text. */
  readonly body: Readable | string;
}

/** A transport that carries the proxied exchange itself: bytes go out as they came in, and come back as a stream. */
export interface ProxiedExchange {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly bytes: Uint8Array; readonly contentType: string } | null;
  readonly signal: AbortSignal;
  onBody(answer: CarriedAnswer): void;
}

export interface Context {
  readonly deps: SchemaDeps;
  /** Whoever is calling. An operation that signs somebody in or out goes on as them. */
  viewer: Viewer | null;
  readonly requestId: string;
  /** The `Idempotency-Key` header; an `idempotencyKey` in the input goes before it. */
  readonly idempotencyKey: string | null;
  /** The caller's address; null where the transport does not tell. */
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** The secret in the cookie that ties an attempt to sign in to its browser. */
  browserSecret: string | null;
  /** Adds a header to the answer, such as a cookie; null where there is none to add it to. */
  readonly addHeader: ((name: string, value: string) => void) | null;
  /** Aborted once nobody waits for the answer any more; null where the transport cannot tell. */
  readonly disconnected: (() => AbortSignal) | null;
  /** Set by the REST proxy only. */
  readonly exchange: ProxiedExchange | null;
  /** What this request was counted against before its operation ran; the operation does not count it again. */
  counted: { readonly bucket: string; readonly rateLimit: RateLimit } | null;
  /** Operations of this service's own routes are not measured against the complexity limit. */
  readonly isTrusted: boolean;
}

/** A request as any transport sees it. `viewer` is given where a connection was authenticated before. */
export interface ContextRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly requestId: string;
  readonly viewer?: Viewer | null | undefined;
  readonly ip?: string;
  /**
   * What opens it: any credential of an account (`payer`, the default), any but a one-time purchase token (`account`), or a
   * login identity token, which opens nothing but its one route.
   */
  readonly accepts?: "payer" | "account" | "login_token";
  /** Whether a browser's session cookie counts; default: as for this site's own pages. */
  readonly cookies?: CookieUse;
  readonly addHeader?: ((name: string, value: string) => void) | undefined;
  readonly isTrusted?: boolean;
  readonly disconnected?: (() => AbortSignal) | undefined;
}

export type CreateContext = (request: ContextRequest) => Promise<Context>;

/**
 * Makes contexts: authenticates the request's credential, afresh each time, so that revoking works at once. They throw
 * UnauthorizedError for a one-time purchase token where only an account may call, and where a page shows another account.
 */
export function createContextFactory(deps: SchemaDeps): CreateContext {
  return async ({
    headers,
    requestId,
    viewer,
    ip,
    cookies = "same-origin",
    accepts = "payer",
    isTrusted = false,
    disconnected,
    addHeader,
  }) => {
    const key = headers["idempotency-key"];
    const userAgent = headers["user-agent"];
    const { isHttps } = deps.site;
    const isLogin = accepts === "login_token";
    const credential = viewer === undefined && !isLogin ? credentialOf(headers, cookies, isHttps) : null;
    const find = () =>
      isLogin ? authenticateLoginToken(deps, headers["authorization"], NETWORK_NAMES) : authenticate(deps, credential);
    const caller = viewer === undefined ? await find() : viewer;
    if (accepts === "account" && caller?.kind === "account") requireAccount(caller);
    checkShownAccount(headers["x-satchel-account"], caller);
    if (credential !== null && addHeader) await rotateIfDue(deps, caller, credential, addHeader);
    return {
      deps,
      viewer: caller,
      requestId,
      idempotencyKey: typeof key === "string" ? key : null,
      ip: ip ?? null,
      userAgent: typeof userAgent === "string" ? userAgent : null,
      browserSecret: cookies === "none" ? null : browserSecretOf(headers, cookies, isHttps),
      addHeader: addHeader ?? null,
      disconnected: disconnected ?? null,
      exchange: null,
      counted: null,
      isTrusted,
    };
  };
}

/** A page says whose account it shows: somebody else may have signed in since, in another tab. */
function checkShownAccount(shown: string | string[] | undefined, viewer: Viewer | null): void {
  const session = sessionOf(viewer);
  if (typeof shown !== "string" || !session) return;
  if (idOf("Account", readGlobalId(shown), "X-Satchel-Account") !== session.accountId) {
    throw new UnauthorizedError("Somebody else is signed in here now. Nothing was done.");
  }
}

/** Gives the browser a new secret for a session whose old one has been in use for a day. */
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
  addHeader("set-cookie", sessionSetCookie(rotated.secret, { isHttps, maxAgeSeconds: rotated.maxAgeSeconds }));
}
