import type { CredentialCreatedDeps } from "../accounts/credential-created.ts";
import type { Database } from "../platform/database/connection.ts";
import type { Site } from "../platform/http/site.ts";

/** What the OAuth provider needs. Its issuer is the site's public address. */
export interface OAuthDeps extends CredentialCreatedDeps {
  readonly db: Database;
  readonly site: Site;
}
