/** An access token and a refresh token: made, stored as hashes, and told to the client once. */
import { hashToken, mintToken } from "../accounts/secret-token.ts";
import { newId } from "../platform/ids.ts";
import type { Client } from "./clients/find-client.ts";
import { ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_SECONDS } from "./lifetimes.ts";

/** The token response (spec section 2.3). */
export interface TokenResponse {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly tokenType: "Bearer";
  /** Seconds until the access token ends. */
  readonly expiresIn: number;
  /** Separated by spaces. */
  readonly scope: string;
}

export interface TokenPair {
  readonly answer: TokenResponse;
  /** What `INSERT_PAIR` takes, `PAIR_VALUES` of them. */
  readonly values: readonly unknown[];
}

/**
 * @param scopes.access what the access token may do
 * @param scopes.refresh what the refresh token may be exchanged for: not less when an access token was narrowed
 */
export function newTokenPair(
  { kind }: Pick<Client, "kind">,
  scopes: { readonly access: readonly string[]; readonly refresh: readonly string[] },
): TokenPair {
  const accessToken = mintToken("satchel_at_");
  const refreshToken = mintToken("satchel_rt_");
  const expiresIn = ACCESS_TOKEN_SECONDS[kind];
  const scope = scopes.access.join(" ");
  return {
    answer: { accessToken, refreshToken, tokenType: "Bearer", expiresIn, scope },
    values: [
      newId("oat"),
      hashToken(accessToken),
      expiresIn,
      scopes.access,
      newId("oat"),
      hashToken(refreshToken),
      REFRESH_TOKEN_SECONDS,
      scopes.refresh,
    ],
  };
}

/**
 * The end of a statement whose part `source` has the columns grant_id, client_id and family_id of what was used up: both
 * tokens come into being in the same statement, or neither, and only while the grant stands. Takes parameters from `first` on.
 */
export function insertPair(source: string, first: number): string {
  const [a, b, c, d, e, f, g, h] = Array.from({ length: 8 }, (_, index) => `$${first + index}`);
  return `INSERT INTO oauth_tokens (id, kind, token_hash, grant_id, client_id, family_id, scopes, expires_at)
    SELECT n.id, n.kind, n.token_hash, s.grant_id, s.client_id, s.family_id, n.scopes, now() + make_interval(secs => n.seconds)
    FROM ${source} s JOIN oauth_grants og ON og.id = s.grant_id AND og.revoked_at IS NULL CROSS JOIN (VALUES
      (${a}::text, 'access', ${b}::bytea, ${c}::integer, ${d}::text[]), (${e}::text, 'refresh', ${f}::bytea, ${g}::integer, ${h}::text[])
    ) AS n (id, kind, token_hash, seconds, scopes)
    RETURNING id`;
}
