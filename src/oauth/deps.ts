import type { CredentialCreatedDeps } from "../accounts/credential-made.ts";
import type { Database } from "../platform/database.ts";
import type { Site } from "../platform/site.ts";

/** What the OAuth provider needs. Its issuer is the site's public address. */
export interface OAuthDeps extends CredentialCreatedDeps {
  readonly db: Database;
  readonly site: Site;
}
