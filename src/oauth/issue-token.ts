/** The token endpoint (spec section 4.2). */
import { type ClientCredentials, identifyClient } from "./client-authentication.ts";
import type { OAuthDeps } from "./deps.ts";
import { type CodeExchange, exchangeCode } from "./exchange-code.ts";
import { OAuthProtocolError } from "./oauth-protocol-error.ts";
import { type Refresh, refreshTokens } from "./refresh-token.ts";
import type { TokenResponse } from "./token-pair.ts";

/** The parameters as received; null if absent or empty. */
export interface TokenRequest extends ClientCredentials, CodeExchange, Refresh {
  readonly grantType: string | null;
}

/**
 * Authenticates the client and issues tokens for a code or a refresh token.
 * @throws {OAuthProtocolError} with the error codes of RFC 6749 section 5.2
 */
export async function issueToken(deps: OAuthDeps, request: TokenRequest): Promise<TokenResponse> {
  const { grantType } = request;
  if (grantType === null) throw new OAuthProtocolError("invalid_request", "grant_type is missing.");
  if (grantType !== "authorization_code" && grantType !== "refresh_token") {
    const text = "grant_type must be authorization_code or refresh_token.";
    throw new OAuthProtocolError("unsupported_grant_type", text);
  }
  const client = await identifyClient(deps.db, request);
  return grantType === "refresh_token"
    ? await refreshTokens(deps, client, request)
    : await exchangeCode(deps, client, request);
}
