/** Look-up of an application by its client id. */
import type { Database, Statement } from "../../platform/database/connection.ts";
import { isStorableText } from "../../platform/database/text.ts";

/** The kind determines PKCE, client authentication and token lifetimes. */
export type ClientKind = "confidential" | "public" | "automation" | "command_line";
export type ClientStatus = "pending_approval" | "approved" | "rejected" | "revoked";

export interface Client {
  readonly id: string;
  readonly kind: ClientKind;
  readonly status: ClientStatus;
  /** The account that registered it; null for this service's own client. */
  readonly accountId: string | null;
  readonly appName: string;
  readonly supportEmail: string;
  readonly redirectUris: readonly string[];
  /** SHA-256 of its valid secrets: the current one, and the former one until it expires. */
  readonly secretHashes: readonly Uint8Array[];
  readonly requireSecretOnRefresh: boolean;
}

const MAX_ID_LENGTH = 100;

const FIND: Statement = {
  name: "find-oauth-client",
  text: `SELECT id, kind, status, account_id AS "accountId", app_name AS "appName", support_email AS "supportEmail",
      redirect_uris AS "redirectUris", array_remove(ARRAY[secret_hash, CASE WHEN former_secret_expires_at > now() THEN former_secret_hash END], NULL) AS "secretHashes", require_secret_on_refresh AS "requireSecretOnRefresh"
    FROM oauth_clients WHERE id = $1`,
};

/** Returns the client with this id in any status; null if there is none. */
export async function findClient(db: Database, id: string): Promise<Client | null> {
  if (id.length > MAX_ID_LENGTH || !isStorableText(id)) return null;
  const [client] = await db.query<Client>(FIND, [id]);
  return client ?? null;
}
