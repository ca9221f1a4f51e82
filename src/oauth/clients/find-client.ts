/** Look-up of an application by its client id. */
import type { Database, Statement } from "../../platform/database/connection.ts";
import { shareQueries } from "../../platform/database/shared-query.ts";
import { isStorableText } from "../../platform/database/text.ts";
import { isInBlockedDomain } from "./blocked-domains.ts";
import { type ClientStatus, isRestricted, isUsable, type Registration } from "./status.ts";

/** The kind determines PKCE, client authentication and token lifetimes. */
export type ClientKind = "confidential" | "public" | "native" | "automation" | "command_line";

export type { ClientStatus };

export interface Client {
  readonly id: string;
  readonly kind: ClientKind;
  /** `approved` if it can be used, also with restrictions; `rejected` if its domain is blocked. */
  readonly status: ClientStatus;
  readonly registration: Registration;
  /** Whether it registered itself and no administrator has approved it. */
  readonly isRestricted: boolean;
  /** Host of its client ID metadata document; null if it has none. */
  readonly documentHost: string | null;
  /** The account that registered it; null for this service's own client. */
  readonly accountId: string | null;
  readonly appName: string;
  readonly supportEmail: string;
  readonly redirectUris: readonly string[];
  /** SHA-256 of its valid secrets: the current one, and the former one until it expires. */
  readonly secretHashes: readonly Uint8Array[];
  readonly requireSecretOnRefresh: boolean;
  /** False if the application has the waiver of spec section 5: its tokens may call any route. */
  readonly strictScopes: boolean;
  /** Whether the waiver covers the routes of the contract only. */
  readonly waiverOnRoutesOnly: boolean;
  /** The scopes in its client ID metadata document; empty: all. */
  readonly declaredScopes: readonly string[];
  /** Lifetime that the application registered for its access tokens, in seconds; null for the default of its kind. */
  readonly accessTokenSeconds: number | null;
  readonly requirePushedRequests: boolean;
  /** Whether it may use the device authorization grant. */
  readonly deviceGrant: boolean;
}

const MAX_ID_LENGTH = 500;

const FIND: Statement = {
  name: "find-oauth-clients",
  text: `SELECT id, kind, registration, document_host AS "documentHost",
      CASE WHEN document_host IS NOT NULL AND ${isInBlockedDomain("c.document_host")} THEN 'rejected'
        WHEN ${isUsable("c")} THEN 'approved' ELSE status END AS status,
      ${isRestricted("c")} AS "isRestricted", account_id AS "accountId", app_name AS "appName", support_email AS "supportEmail",
      redirect_uris AS "redirectUris", array_remove(ARRAY[secret_hash, CASE WHEN former_secret_expires_at > now() THEN former_secret_hash END], NULL) AS "secretHashes", require_secret_on_refresh AS "requireSecretOnRefresh",
      strict_scopes AS "strictScopes", waiver_on_routes_only AS "waiverOnRoutesOnly", declared_scopes AS "declaredScopes", access_token_seconds AS "accessTokenSeconds",
      require_pushed_requests AS "requirePushedRequests",
      device_grant AS "deviceGrant"
    FROM oauth_clients c WHERE id = ANY($1::text[])`,
};

/** Concurrent look-ups share a query: an application's users often refresh their tokens at the same time. */
const find = shareQueries<string, Client | null>(async (db, ids) => {
  const clients = await db.query<Client>(FIND, [[...new Set(ids)]]);
  const found = new Map(clients.map((client) => [client.id, client]));
  return ids.map((id) => found.get(id) ?? null);
});

/** Returns the client with this id in any status; null if there is none. */
export async function findClient(db: Database, id: string): Promise<Client | null> {
  return id.length > MAX_ID_LENGTH || !isStorableText(id) ? null : await find(db, id);
}
