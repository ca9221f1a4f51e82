/** `/oauth/device_authorization`: the first step of the device authorization grant (RFC 8628 section 3.1). */
import { randomBytes } from "node:crypto";
import { hashToken } from "../../accounts/secret-token.ts";
import type { Statement } from "../../platform/database/connection.ts";
import { RateLimitedError } from "../../platform/errors.ts";
import { wideNetworkOf } from "../../platform/http/client-address.ts";
import { limitByNetwork } from "../../platform/http/limit-by-network.ts";
import { newId } from "../../platform/ids.ts";
import type { RateLimiter } from "../../platform/rate-limit.ts";
import {
  type ClientCredentials,
  identifyClient,
  invalidClientError,
  requiresSecret,
} from "../client-authentication.ts";
import { refreshDocument } from "../clients/client-documents.ts";
import { readClientScopes } from "../clients/restrictions.ts";
import type { OAuthDeps } from "../deps.ts";
import { DEVICE_POLL_SECONDS, REQUEST_SECONDS } from "../lifetimes.ts";
import { OAuthProtocolError } from "../oauth-protocol-error.ts";
import { canUseDeviceGrant } from "./device-client.ts";
import { createUserCode, formatUserCode } from "./user-code.ts";

export interface DeviceAuthorizationRequest extends ClientCredentials {
  readonly scope: string | null;
  /** The device's address, which the consent page shows. */
  readonly requesterAddress: string | null;
}

/** The response (RFC 8628 section 3.2). */
export interface DeviceAuthorization {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly verificationUri: string;
  readonly verificationUriComplete: string;
  /** Seconds until both codes expire. */
  readonly expiresIn: number;
  /** Seconds between two polls. */
  readonly interval: number;
}

/** Each request inserts a row, and everyone can send one in the name of a public application. */
const REQUESTS_PER_MINUTE = {
  network: 60,
  /** Shared by all networks. A flood from many exhausts it. */
  client: 1_000,
  /** Then a wide network still has these, so the flood does not lock out the application's users. */
  networkInFlood: 5,
  /** The last resort against a flood from thousands of wide networks. */
  clientInFlood: 20_000,
};

const STORE: Statement = {
  name: "store-device-request",
  text: `INSERT INTO oauth_requests (id, client_id, scopes, device_code_hash, user_code, requester_address, poll_interval_seconds, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, ${DEVICE_POLL_SECONDS}, now() + interval '${REQUEST_SECONDS} seconds')
    ON CONFLICT (user_code) DO NOTHING RETURNING id`,
};

/**
 * Stores an authorization request that a user decides in the browser of another device.
 * @throws {OAuthProtocolError} `invalid_client`, `unauthorized_client` or `invalid_scope`
 * @throws {RateLimitedError}
 */
export async function beginDeviceAuthorization(
  { db, site, clientDocuments, rateLimiter }: OAuthDeps & { readonly rateLimiter: RateLimiter },
  request: DeviceAuthorizationRequest,
): Promise<DeviceAuthorization> {
  await limitByNetwork({ rateLimiter }, "oauth_device", request.requesterAddress, REQUESTS_PER_MINUTE.network);
  await refreshDocument({ clientDocuments }, request.clientId);
  const { client, isAuthenticated } = await identifyClient({ db, clientDocuments }, request);
  if (requiresSecret(client) && !isAuthenticated) throw invalidClientError();
  if (!canUseDeviceGrant(client)) {
    const text = "This application is not registered for the device authorization grant.";
    throw new OAuthProtocolError("unauthorized_client", text);
  }
  await limitByClient(rateLimiter, client.id, request.requesterAddress);
  const scopes = readClientScopes(client, request.scope);
  const deviceCode = randomBytes(32).toString("base64url");
  for (;;) {
    const userCode = createUserCode();
    const stored = await db.query(STORE, [
      newId("oar"),
      client.id,
      scopes,
      hashToken(deviceCode),
      userCode,
      request.requesterAddress,
    ]);
    // Another request of the last hour has the same code.
    if (stored.length === 0) continue;
    const verificationUri = `${site.browserUrl()}/device`;
    return {
      deviceCode,
      userCode: formatUserCode(userCode),
      verificationUri,
      verificationUriComplete: `${verificationUri}?user_code=${formatUserCode(userCode)}`,
      expiresIn: REQUEST_SECONDS,
      interval: DEVICE_POLL_SECONDS,
    };
  }
}

/** @throws {RateLimitedError} */
async function limitByClient(rateLimiter: RateLimiter, clientId: string, ip: string | null): Promise<void> {
  const { client, networkInFlood, clientInFlood } = REQUESTS_PER_MINUTE;
  try {
    await rateLimiter.consume("oauth_device_client", clientId, client);
  } catch (error) {
    if (!(error instanceof RateLimitedError)) throw error;
    await rateLimiter.consume("oauth_device_flood", `${clientId} ${wideNetworkOf(ip)}`, networkInFlood);
    await rateLimiter.consume("oauth_device_client_flood", clientId, clientInFlood);
  }
}
