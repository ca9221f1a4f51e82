/** Authorization codes: single use, valid for 60 seconds. Only the hash is stored. */
import { randomBytes } from "node:crypto";
import { hashToken } from "../accounts/secret-token.ts";
import type { Database, Statement } from "../platform/database/connection.ts";
import { newId } from "../platform/ids.ts";
import type { Client } from "./clients/find-client.ts";
import { CODE_SECONDS } from "./lifetimes.ts";
import { isExclusiveRedirect } from "./redirect-uri.ts";

export interface NewCode {
  readonly code: string;
  readonly codeHash: Uint8Array<ArrayBuffer>;
  /** The token family: all tokens that descend from the code. */
  readonly familyId: string;
}

/** Creates a code, its stored hash and the id of its token family. */
export function createCode(): NewCode {
  const code = randomBytes(32).toString("base64url");
  return { code, codeHash: hashToken(code), familyId: newId("fam") };
}

/** Returns the unique `slot` value of the active grant of an account to a client. At most one grant is active. */
export function grantSlot(accountId: string, clientId: string): string {
  return `${accountId}:${clientId}`;
}

const MINT_FOR_ACTIVE_GRANT: Statement = {
  name: "mint-code-for-standing-grant",
  text: `INSERT INTO oauth_codes (code_hash, grant_id, client_id, redirect_uri, code_challenge, scopes, family_id, expires_at, resources, dpop_jkt)
    SELECT $1, g.id, g.client_id, $3, $4, $5::text[], $6, now() + interval '${CODE_SECONDS} seconds', $8::text[], $9
    FROM oauth_grants g WHERE g.slot = $2 AND g.revoked_at IS NULL AND g.scopes @> $5::text[]
      AND ($7::boolean OR EXISTS (SELECT FROM oauth_codes c WHERE c.grant_id = g.id AND c.redirect_uri = $3))
    RETURNING grant_id`,
};

/**
 * When a code may be sent under an active grant without an action of the user. `same_redirect`: to a redirect URI that
 * received a code of the grant recently.
 */
type SilentCodes = "always" | "same_redirect" | "never";

/**
 * Another local program can impersonate a native application (RFC 8252 section 8.6). The rule for the command line
 * client is weaker, because the contract requires codes without an action (spec section 4.2, `prompt`).
 */
function silentCodesOf(
  { kind, registration }: Pick<Client, "kind" | "registration">,
  redirectUri: string,
): SilentCodes {
  // No administrator has verified whose application it is, even after a review.
  if (registration !== "owner") return "never";
  if (kind === "command_line") return "same_redirect";
  return kind === "native" && !isExclusiveRedirect(redirectUri) ? "never" : "always";
}

const HAS_RECEIVED: Statement = {
  name: "has-received-oauth-code",
  text: "SELECT 1 AS found FROM oauth_codes WHERE grant_id = $1 AND redirect_uri = $2 LIMIT 1",
};

/** What the user must do if an active grant covers the request: nothing, confirm it, or consent. */
type Remaining = "nothing" | "confirmation" | "consent";

/** Returns what the user must do before a code of an active grant is sent to this redirect URI. */
export async function findRemaining(
  db: Database,
  client: Pick<Client, "kind" | "registration">,
  grantId: string,
  redirectUri: string,
): Promise<Remaining> {
  const silentCodes = silentCodesOf(client, redirectUri);
  if (silentCodes === "always") return "nothing";
  if (silentCodes === "never") return "confirmation";
  return (await db.query(HAS_RECEIVED, [grantId, redirectUri])).length > 0 ? "nothing" : "consent";
}

export interface CodeTerms {
  readonly client: Client;
  readonly accountId: string;
  readonly redirectUri: string;
  readonly codeChallenge: string | null;
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
  readonly dpopJkt: string | null;
}

/**
 * Mints a code under the account's active grant to the client. Returns null if there is none, if it does not cover
 * `scopes`, or if the user must act first.
 */
export async function mintCodeForActiveGrant(db: Database, terms: CodeTerms): Promise<string | null> {
  const { client, accountId, redirectUri, codeChallenge, scopes } = terms;
  const silentCodes = silentCodesOf(client, redirectUri);
  if (silentCodes === "never") return null;
  const { code, codeHash, familyId } = createCode();
  const slot = grantSlot(accountId, client.id);
  const minted = await db.query(MINT_FOR_ACTIVE_GRANT, [
    codeHash,
    slot,
    redirectUri,
    codeChallenge,
    scopes,
    familyId,
    silentCodes === "always",
    terms.resources,
    terms.dpopJkt,
  ]);
  return minted.length > 0 ? code : null;
}
