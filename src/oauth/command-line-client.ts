import type { Database, Statement } from "../platform/database/connection.ts";

/** The contract's name for it (spec section 4.2). */
export const COMMAND_LINE_CLIENT_ID = "service_cli";

const WRITE: Statement = {
  name: "ensure-command-line-client",
  text: `INSERT INTO oauth_clients (id, status, kind, responsible_name, responsible_phone, responsible_country, responsible_address,
      app_name, support_email, contact_emails, javascript_origins, redirect_uris, terms_accepted_at)
    VALUES ($1, 'approved', 'command_line', '', '', '', '', 'Satchel command line', '', '{}', '{}', $2, now())
    ON CONFLICT (id) DO NOTHING`,
};

/** The ports are free: `isRegisteredRedirect` knows this kind of client. Shown to people as they are here. */
const REDIRECTS = ["http://localhost/callback", "http://127.0.0.1/callback"];

/** Makes the service's own command line client known; at start. A public client: PKCE is mandatory and there is no secret. */
export async function ensureCommandLineClient(db: Database): Promise<void> {
  await db.query(WRITE, [COMMAND_LINE_CLIENT_ID, REDIRECTS]);
}
