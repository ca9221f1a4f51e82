/** Pairs of access and refresh token. Only their hashes are stored; the client receives the tokens once. */
import { hashToken, mintToken } from "../accounts/secret-token.ts";
import { newId } from "../platform/ids.ts";
import type { Client } from "./clients/find-client.ts";
import { accessTokenLifetime } from "./clients/token-lifetime.ts";
import { REFRESH_TOKEN_SECONDS } from "./lifetimes.ts";

/** The token response (spec section 2.3). */
export interface TokenResponse {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** DPoP if the access token is bound to a key. */
  readonly tokenType: "Bearer" | "DPoP";
  /** Seconds until the access token expires. */
  readonly expiresIn: number;
  /** Scopes separated by spaces. */
  readonly scope: string;
}

export interface TokenPair {
  readonly response: TokenResponse;
  /** The parameters of `insertPair`. */
  readonly values: readonly unknown[];
}

/** What the tokens are restricted to. */
export interface Restrictions {
  /** Paths of protected resources; empty: all. */
  readonly resources: { readonly access: readonly string[]; readonly refresh: readonly string[] };
  /** Thumbprint of the key that their use must prove; null for bearer tokens. */
  readonly dpopJkt: string | null;
}

/**
 * Creates a token pair.
 * @param scopes.access scopes of the access token
 * @param scopes.refresh scopes of the refresh token; not reduced when the access token has fewer
 * @param restrictions the resources, which follow the same rule, and the key of both tokens
 */
export function createTokenPair(
  client: Pick<Client, "kind" | "accessTokenSeconds">,
  scopes: { readonly access: readonly string[]; readonly refresh: readonly string[] },
  { resources, dpopJkt }: Restrictions,
): TokenPair {
  const accessToken = mintToken("satchel_at_");
  const refreshToken = mintToken("satchel_rt_");
  const expiresIn = accessTokenLifetime(client);
  const scope = scopes.access.join(" ");
  return {
    response: { accessToken, refreshToken, tokenType: dpopJkt === null ? "Bearer" : "DPoP", expiresIn, scope },
    values: [
      newId("oat"),
      hashToken(accessToken),
      expiresIn,
      scopes.access,
      newId("oat"),
      hashToken(refreshToken),
      REFRESH_TOKEN_SECONDS,
      scopes.refresh,
      resources.access,
      resources.refresh,
      dpopJkt,
    ],
  };
}

/**
 * Returns the final part of a statement, which inserts both tokens or neither, and only if the grant is active.
 * @param source a CTE with the columns grant_id, client_id and family_id of the consumed code or token
 * @param first number of the first of eleven parameters
 */
export function insertPair(source: string, first: number): string {
  const [a, b, c, d, e, f, g, h, i, j, k] = Array.from({ length: 11 }, (_, index) => `$${first + index}`);
  return `INSERT INTO oauth_tokens (id, kind, token_hash, grant_id, client_id, family_id, scopes, expires_at, resources, dpop_jkt)
    SELECT n.id, n.kind, n.token_hash, s.grant_id, s.client_id, s.family_id, n.scopes, now() + make_interval(secs => n.seconds), n.resources, ${k}
    FROM ${source} s JOIN oauth_grants og ON og.id = s.grant_id AND og.revoked_at IS NULL CROSS JOIN (VALUES
      (${a}::text, 'access', ${b}::bytea, ${c}::integer, ${d}::text[], ${i}::text[]), (${e}::text, 'refresh', ${f}::bytea, ${g}::integer, ${h}::text[], ${j}::text[])
    ) AS n (id, kind, token_hash, seconds, scopes, resources)
    RETURNING id`;
}
