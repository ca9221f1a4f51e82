import type { Database } from "../platform/database/connection.ts";
import { UnauthorizedError } from "../platform/errors.ts";
import type { Challenge } from "../platform/http/challenge.ts";
import type { Site } from "../platform/http/site.ts";
import type { TokenPrefix } from "./secret-token.ts";
import type { CredentialKind, Viewer } from "./viewer.ts";

/** The request that a token was sent with. Some tokens are restricted to parts of the service, or bound to a key. */
export interface TokenRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Null for the messages of a WebSocket, which carry no proof of a key. */
  readonly method: string | null;
  /** Path without the query. */
  readonly path: string;
  readonly site: Site;
}

/** The token is valid, but not for this request. */
export class InvalidTokenError extends UnauthorizedError {
  readonly challenge: Challenge;
  constructor(message: string, challenge: Challenge = { error: "invalid_token" }) {
    super(message);
    this.challenge = challenge;
  }
}

/**
 * A kind of secret that authenticates an account. Each domain that issues secrets defines its own kind; the composition
 * root lists them.
 */
export interface TokenKind {
  readonly prefix: TokenPrefix;
  readonly credentialKind: CredentialKind;
  /**
   * Returns the viewer of a well-formed secret; null if it is unknown, expired or revoked.
   * @throws {InvalidTokenError} if the secret is not valid for this request. Null restricts it to nothing that needs a request.
   */
  find(db: Database, token: string, request: TokenRequest | null): Promise<Viewer | null>;
  /** Returns true if a credential that was found earlier is still valid. */
  isStillValid(db: Database, credentialId: string): Promise<boolean>;
}
