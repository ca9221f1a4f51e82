/** What signing in takes. */
import type { MailDeps } from "../../platform/email/email-queue.ts";
import type { Logger } from "../../platform/observability/logger.ts";
import type { RateLimiter } from "../../platform/rate-limit.ts";
import type { AuthenticationDeps } from "../authenticate.ts";
import type { LoginTokenDeps } from "../login-token.ts";
import type { Browser, SessionDeps } from "../sessions.ts";
import type { Viewer } from "../viewer.ts";
import type { UpstreamProvider } from "./upstream-provider.ts";

/** A person's new account, and what opens it from now on: at least one of an address, a passkey, an upstream identity. */
export interface NewPerson {
  /** Given where a passkey was made for it before it was opened. */
  readonly id?: string;
  /** Verified. */
  readonly email: string | null;
  readonly displayName: string | null;
  readonly passkey?: NewPasskey;
  readonly identity?: { readonly issuer: string; readonly subject: string };
}

/** A WebAuthn credential that was verified. */
export interface NewPasskey {
  readonly id: string;
  readonly name: string;
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly counter: bigint;
  readonly transports: string[];
  readonly isBackedUp: boolean;
}

/** Opens an account with its wallet and credit, all or nothing. The wallet's domain does it; this one must not know it. */
export type OpenAccount = (person: NewPerson) => Promise<{ readonly id: string }>;

export interface SignInDeps extends AuthenticationDeps, SessionDeps, LoginTokenDeps, MailDeps {
  readonly logger: Logger;
  readonly rateLimiter: RateLimiter;
  readonly openAccount: OpenAccount;
  readonly upstream: UpstreamProvider | null;
  /** Where a sandbox shows anybody the letters with the codes; null wherever they go to real mailboxes. */
  readonly sandboxMailUrl: string | null;
}

/** The browser that is signing in, and whom it is signed in as already. */
export interface Visitor extends Browser {
  readonly viewer: Viewer | null;
  /** What ties the attempt to this browser; null while it has none. */
  readonly browserSecret: string | null;
}

/** A first step that was taken. The browser keeps `browserSecret` in its cookie for the last. */
export interface StartedAttempt {
  readonly attemptId: string;
  readonly expiresAt: Date;
  readonly browserSecret: string;
}

/** Somebody is signed in: `secret` is the session's, for the browser's cookie. */
export interface Entered {
  readonly secret: string;
  readonly isNewAccount: boolean;
  readonly returnTo: string | null;
}
