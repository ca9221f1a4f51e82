/** The token endpoint (spec section 4.2). */
import type { Proof } from "../platform/crypto/dpop-proof.ts";
import { type AuthenticatedClient, type ClientCredentials, identifyClient } from "./client-authentication.ts";
import type { OAuthDeps } from "./deps.ts";
import { DEVICE_GRANT_TYPE } from "./device/device-client.ts";
import { type DeviceCodeExchange, exchangeDeviceCode } from "./device/exchange-device-code.ts";
import { readEndpointProof } from "./dpop.ts";
import { type CodeExchange, exchangeCode } from "./exchange-code.ts";
import { OAuthProtocolError } from "./oauth-protocol-error.ts";
import { type Refresh, refreshTokens } from "./refresh-token.ts";
import type { TokenResponse } from "./token-pair.ts";

/** The parameters as received; null if absent or empty. */
export interface TokenRequest extends ClientCredentials, CodeExchange, DeviceCodeExchange, Refresh {
  readonly grantType: string | null;
  /** The `DPoP` header. */
  readonly dpopProof: string | null;
}

type Exchange = (
  deps: OAuthDeps,
  client: AuthenticatedClient,
  request: TokenRequest,
  proof: Proof | null,
) => Promise<TokenResponse>;

const EXCHANGES: Readonly<Record<string, Exchange>> = {
  authorization_code: exchangeCode,
  refresh_token: refreshTokens,
  [DEVICE_GRANT_TYPE]: exchangeDeviceCode,
};

/**
 * Authenticates the client and issues tokens for a code, a refresh token or a device code.
 * @throws {OAuthProtocolError} with the error codes of RFC 6749 section 5.2, RFC 8707 and RFC 9449
 */
export async function issueToken(deps: OAuthDeps, request: TokenRequest): Promise<TokenResponse> {
  const { grantType } = request;
  if (grantType === null) throw new OAuthProtocolError("invalid_request", "grant_type is missing.");
  const exchange = Object.hasOwn(EXCHANGES, grantType) ? EXCHANGES[grantType] : undefined;
  if (!exchange) {
    const text = `grant_type must be one of ${Object.keys(EXCHANGES).join(", ")}.`;
    throw new OAuthProtocolError("unsupported_grant_type", text);
  }
  const client = await identifyClient(deps, request);
  const proof = await readEndpointProof(deps, "/oauth/token", request.dpopProof);
  return await exchange(deps, client, request, proof);
}
