import type { Database } from "../platform/database/connection.ts";
import type { TokenPrefix } from "./secret-token.ts";
import type { CredentialKind, Viewer } from "./viewer.ts";

/**
 * A kind of secret that authenticates an account. Each domain that issues secrets defines its own kind; the composition
 * root lists them.
 */
export interface TokenKind {
  readonly prefix: TokenPrefix;
  readonly credentialKind: CredentialKind;
  /** Returns the viewer of a well-formed secret; null if it is unknown, expired or revoked. */
  find(db: Database, token: string): Promise<Viewer | null>;
  /** Returns true if a credential that was found earlier is still valid. */
  isStillValid(db: Database, credentialId: string): Promise<boolean>;
}
