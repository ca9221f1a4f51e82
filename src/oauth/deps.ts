import type { CredentialCreatedDeps } from "../accounts/credential-created.ts";
import type { Database } from "../platform/database/connection.ts";
import type { Site } from "../platform/http/site.ts";
import type { SecurityLog } from "../platform/observability/security-log.ts";
import type { ClientDocuments } from "./clients/client-documents.ts";

/** Dependencies of the OAuth provider. The site's public address is the issuer. */
export interface OAuthDeps extends CredentialCreatedDeps {
  readonly db: Database;
  readonly site: Site;
  readonly securityLog: SecurityLog;
  readonly clientDocuments: ClientDocuments;
  readonly dynamicRegistration: { readonly isEnabled: boolean };
}
