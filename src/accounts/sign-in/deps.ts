/** Dependencies and shared types of the sign-in flows. */
import type { MailDeps } from "../../platform/email/email-queue.ts";
import type { Logger } from "../../platform/observability/logger.ts";
import type { RateLimiter } from "../../platform/rate-limit.ts";
import type { AuthenticationDeps } from "../authenticate.ts";
import type { LoginTokenDeps } from "../login-token.ts";
import type { Browser, SessionDeps } from "../sessions.ts";
import type { Viewer } from "../viewer.ts";
import type { UpstreamProvider } from "./upstream-provider.ts";

/** A new account and its sign-in methods: at least one of an email address, a passkey, an upstream identity. */
export interface NewAccount {
  /** Present if a passkey was created for this id before the account exists. */
  readonly id?: string;
  /** The verified email address. */
  readonly email: string | null;
  readonly displayName: string | null;
  readonly passkey?: NewPasskey;
  readonly identity?: { readonly issuer: string; readonly subject: string };
  /** Address of the client that signs in. */
  readonly ip?: string | null;
}

/** A verified WebAuthn credential. */
export interface NewPasskey {
  readonly id: string;
  readonly name: string;
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly counter: bigint;
  readonly transports: string[];
  readonly isBackedUp: boolean;
}

/**
 * Creates an account with its wallet in one transaction, and with credit if its email address is verified. Injected, because this domain must not import the
 * wallet's.
 */
export type OpenAccount = (account: NewAccount) => Promise<{ readonly id: string }>;

/** Grants free credit to an account whose first email address was verified. Injected like `OpenAccount`. */
export type GrantCredit = (accountId: string, ip: string | null) => Promise<void>;

export interface SignInDeps extends AuthenticationDeps, SessionDeps, LoginTokenDeps, MailDeps {
  readonly logger: Logger;
  readonly rateLimiter: RateLimiter;
  readonly openAccount: OpenAccount;
  readonly grantCredit: GrantCredit;
  readonly upstream: UpstreamProvider | null;
  /** Lower-case addresses of administrators' accounts. */
  readonly adminEmails: readonly string[];
  /** URL of the sandbox's public mailbox, which receives the codes; null if email goes to real mailboxes. */
  readonly sandboxMailUrl: string | null;
}

/** The browser that is signing in, and its current viewer. */
export interface Visitor extends Browser {
  readonly viewer: Viewer | null;
  /** The secret that binds an attempt to this browser; null if the browser has none yet. */
  readonly browserSecret: string | null;
  /** The cookie of a browser that signed in before, unverified; null if the browser has none. */
  readonly knownBrowser: string | null;
}

/** A started attempt. The browser stores `browserSecret` in its cookie for the last step. */
export interface StartedAttempt {
  readonly attemptId: string;
  readonly expiresAt: Date;
  readonly browserSecret: string;
}

/** The result of a completed sign-in. `secret` is the session's secret, for the browser's cookie. */
export interface SignInResult {
  readonly secret: string;
  readonly isNewAccount: boolean;
  readonly returnTo: string | null;
}
