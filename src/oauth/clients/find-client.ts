/** The application behind a client id. */
import type { Database, Statement } from "../../platform/database/connection.ts";
import { isStorableText } from "../../platform/database/text.ts";

/** Decides about PKCE, secrets and lifetimes. */
export type ClientKind = "confidential" | "public" | "automation" | "command_line";
export type ClientStatus = "pending_approval" | "approved" | "rejected" | "revoked";

export interface Client {
  readonly id: string;
  readonly kind: ClientKind;
  readonly status: ClientStatus;
  /** Who registered it; null for this service's own. */
  readonly accountId: string | null;
  readonly appName: string;
  readonly supportEmail: string;
  readonly redirectUris: readonly string[];
  /** SHA-256 of its secret; null when it has none. */
  readonly secretHash: Uint8Array | null;
  readonly requireSecretOnRefresh: boolean;
}

const MAX_ID_LENGTH = 100;

const FIND: Statement = {
  name: "find-oauth-client",
  text: `SELECT id, kind, status, account_id AS "accountId", app_name AS "appName", support_email AS "supportEmail",
      redirect_uris AS "redirectUris", secret_hash AS "secretHash", require_secret_on_refresh AS "requireSecretOnRefresh"
    FROM oauth_clients WHERE id = $1`,
};

/** The client of that id, whatever its status; null when there is none. */
export async function findClient(db: Database, id: string): Promise<Client | null> {
  if (id.length > MAX_ID_LENGTH || !isStorableText(id)) return null;
  const [client] = await db.query<Client>(FIND, [id]);
  return client ?? null;
}
