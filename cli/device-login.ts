/** Sign-in with a browser on another device (RFC 8628). */
import { setTimeout as delay } from "node:timers/promises";
import * as oauth from "oauth4webapi";
import type { Credentials } from "./credentials.ts";
import { CliError, EXIT } from "./errors.ts";
import { CLIENT, convertErrors, createRequestOptions, NO_SECRET, SCOPE, type Service, toCredentials } from "./oauth.ts";
import { PROGRAM } from "./version.ts";

/** The interval without one in the response (RFC 8628 section 3.5). */
const DEFAULT_INTERVAL_SECONDS = 5;
const SLOW_DOWN_SECONDS = 5;

/** Requests the codes. @throws {CliError} if the service does not support the grant */
export async function beginDeviceLogin({ server, baseUrl }: Service): Promise<oauth.DeviceAuthorizationResponse> {
  if (server.device_authorization_endpoint === undefined) {
    throw new CliError(`${baseUrl} does not support sign-in on another device. Run: ${PROGRAM} login --no-browser`);
  }
  return await convertErrors(baseUrl, async () => {
    const options = createRequestOptions(baseUrl);
    const response = await oauth.deviceAuthorizationRequest(server, CLIENT, NO_SECRET, { scope: SCOPE }, options);
    return await oauth.processDeviceAuthorizationResponse(server, CLIENT, response);
  });
}

/**
 * Polls until the user has decided.
 * @throws {CliError} if the user denied access, or did not decide within `waitSeconds` or the lifetime of the codes
 */
export async function completeDeviceLogin(
  { server, baseUrl }: Service,
  codes: oauth.DeviceAuthorizationResponse,
  waitSeconds: number,
): Promise<Omit<Credentials, "sub">> {
  const endsAtMs = Date.now() + Math.min(waitSeconds, codes.expires_in) * 1_000;
  let intervalSeconds = codes.interval ?? DEFAULT_INTERVAL_SECONDS;
  for (;;) {
    await delay(Math.min(intervalSeconds * 1_000, Math.max(0, endsAtMs - Date.now())));
    try {
      return await convertErrors(baseUrl, async () => {
        const options = createRequestOptions(baseUrl);
        const response = await oauth.deviceCodeGrantRequest(server, CLIENT, NO_SECRET, codes.device_code, options);
        return toCredentials(await oauth.processDeviceCodeResponse(server, CLIENT, response));
      });
    } catch (error) {
      const code = error instanceof CliError ? error.code : null;
      if (code === "access_denied")
        throw new CliError("You denied access. No tokens were stored.", EXIT.notSignedIn, code);
      if (code === "slow_down") intervalSeconds += SLOW_DOWN_SECONDS;
      // A poll that is lost is repeated, because the user may be deciding.
      else if (code !== "authorization_pending" && code !== "unreachable" && code !== "expired_token") throw error;
      if (code === "expired_token" || Date.now() >= endsAtMs) throw createTimeoutError();
    }
  }
}

function createTimeoutError(): CliError {
  const text = `The sign-in was not completed in time. No tokens were stored. Run: ${PROGRAM} login --device`;
  return new CliError(text, EXIT.timedOut, "timed_out");
}
