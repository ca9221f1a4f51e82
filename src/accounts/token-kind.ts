import type { Database } from "../platform/database/connection.ts";
import type { TokenPrefix } from "./secret-token.ts";
import type { CredentialKind, Viewer } from "./viewer.ts";

/** A kind of secret that opens an account. Each domain that issues some defines its own; the composition root lists them. */
export interface TokenKind {
  readonly prefix: TokenPrefix;
  readonly credentialKind: CredentialKind;
  /** Who holds this well-formed secret; null when it is unknown, expired or revoked (not said which). */
  find(db: Database, token: string): Promise<Viewer | null>;
  /** Whether a credential found before would still be accepted. */
  isStillValid(db: Database, credentialId: string): Promise<boolean>;
}
