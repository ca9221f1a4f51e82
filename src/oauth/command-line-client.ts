import type { Database, Statement } from "../platform/database/connection.ts";

/** The client id of the command line client in the contract (spec section 4.2). */
export const COMMAND_LINE_CLIENT_ID = "service_cli";

const WRITE: Statement = {
  name: "ensure-command-line-client",
  text: `INSERT INTO oauth_clients (id, status, kind, responsible_name, responsible_phone, responsible_country, responsible_address,
      app_name, support_email, contact_emails, javascript_origins, redirect_uris, terms_accepted_at, strict_scopes, waiver_on_routes_only)
    VALUES ($1, 'approved', 'command_line', '', '', '', '', 'Satchel command line', '', '{}', '{}', $2, now(), false, false)
    ON CONFLICT (id) DO NOTHING`,
};

/** Shown to users without a port; `isRegisteredRedirect` accepts any port for this kind of client. */
const REDIRECTS = ["http://localhost/callback", "http://127.0.0.1/callback"];

/**
 * Inserts the service's own command line client at start-up. It is a public client: it has no secret and must use PKCE.
 * Its scopes are not enforced (spec section 5).
 */
export async function ensureCommandLineClient(db: Database): Promise<void> {
  await db.query(WRITE, [COMMAND_LINE_CLIENT_ID, REDIRECTS]);
}
