import { setTimeout as delay } from "node:timers/promises";
import { openCallbackListener } from "../callback-listener.ts";
import type { CommandContext } from "../command.ts";
import { type Credentials, readCredentials, withCredentialsLock, writeCredentials } from "../credentials.ts";
import { beginDeviceLogin, completeDeviceLogin } from "../device-login.ts";
import { readEnvironmentToken } from "../environment-token.ts";
import { CliError, EXIT, UsageError } from "../errors.ts";
import {
  type Authorization,
  beginAuthorization,
  completeAuthorization,
  discover,
  fetchUserInfo,
  revokeTokens,
  type Service,
} from "../oauth.ts";
import { openBrowser } from "../open-browser.ts";
import { dim, formatPairs, type Output } from "../output.ts";
import { hasReachableBrowser } from "../reachable-browser.ts";
import { parseWholeNumber } from "../values.ts";
import { PROGRAM } from "../version.ts";

/** Maximum time to wait for the browser (spec section 8). */
const MAX_WAIT_SECONDS = 300;

/** Signs in through the browser of this device or, if none can reach this machine, of another. */
export async function login({ baseUrl, values, output }: CommandContext): Promise<void> {
  const waitSeconds = parseWholeNumber(values["timeout"], "--timeout", 1, MAX_WAIT_SECONDS) ?? MAX_WAIT_SECONDS;
  if (values["device"] && values["no-browser"]) throw new UsageError("Use --device or --no-browser, not both.");
  const isOnOtherDevice = values["device"] === true || (!values["no-browser"] && !hasReachableBrowser());
  const service = await discover(baseUrl);
  const credentials = isOnOtherDevice
    ? await signInOnOtherDevice(service, output, waitSeconds)
    : await signInHere(service, output, { waitSeconds, opensBrowser: !values["no-browser"] });
  await storeCredentials(service, credentials);
  if (readEnvironmentToken() !== null) output.note("SATCHEL_TOKEN is set: commands use it instead of this sign-in.\n");
  const result = { baseUrl, sub: credentials.sub, scope: credentials.scope, expiresAt: isoTime(credentials) };
  output.result(result, () =>
    formatPairs([
      ["Signed in to", baseUrl],
      ["Account", credentials.sub],
      ["Scopes", credentials.scope],
      ["Expires", isoTime(credentials)],
    ]),
  );
}

/** Device authorization grant: the user enters a code in any browser. */
async function signInOnOtherDevice(service: Service, output: Output, waitSeconds: number): Promise<Credentials> {
  const codes = await beginDeviceLogin(service);
  const { user_code: userCode, verification_uri: url, verification_uri_complete: completeUrl = url } = codes;
  const text = `Open this page in any browser, and compare the code:\n\n  ${completeUrl}\n  Code: ${userCode}\n`;
  output.note(text, { verificationUri: url, verificationUriComplete: completeUrl, userCode });
  const progress = output.progress(dim("Waiting for your decision", process.stderr));
  try {
    const tokens = await completeDeviceLogin(service, codes, waitSeconds);
    const { sub } = await fetchUserInfo(service, tokens.accessToken);
    return { ...tokens, sub };
  } finally {
    progress.done();
  }
}

/** Authorization code flow with PKCE and a loopback redirect. */
async function signInHere(
  service: Service,
  output: Output,
  { waitSeconds, opensBrowser }: { readonly waitSeconds: number; readonly opensBrowser: boolean },
): Promise<Credentials> {
  const listener = await openCallbackListener();
  try {
    const authorization = await beginAuthorization(service, listener.redirectUri);
    const { url } = authorization;
    output.note(`Sign in with your browser:\n\n  ${url}\n`, { authorizationUrl: url });
    if (opensBrowser) openBrowser(url);
    const progress = output.progress(dim("Waiting for the browser", process.stderr));
    try {
      const callback = listener.waitForCallback(authorization.state);
      return await receiveCredentials(service, authorization, callback, waitSeconds);
    } finally {
      progress.done();
    }
  } finally {
    await listener.close();
  }
}

async function receiveCredentials(
  service: Service,
  authorization: Authorization,
  pendingCallback: ReturnType<Awaited<ReturnType<typeof openCallbackListener>>["waitForCallback"]>,
  waitSeconds: number,
): Promise<Credentials> {
  const waiting = new AbortController();
  const timedOut = delay(waitSeconds * 1_000, null, { signal: waiting.signal }).catch(() => null);
  const callback = await Promise.race([pendingCallback, timedOut]);
  waiting.abort();
  if (!callback) {
    const text = `Sign-in timed out after ${waitSeconds} seconds. No tokens were stored. Run: ${PROGRAM} login`;
    throw new CliError(text, EXIT.timedOut, "timed_out");
  }
  try {
    const tokens = await completeAuthorization(service, authorization, callback.url);
    const { sub } = await fetchUserInfo(service, tokens.accessToken);
    callback.respond({ isSignedIn: true, text: "You can close this window and return to the terminal." });
    return { ...tokens, sub };
  } catch (error) {
    const text = error instanceof CliError ? error.message : "The sign-in failed unexpectedly.";
    callback.respond({ isSignedIn: false, text: `${text} You can close this window.` });
    throw error;
  }
}

/** Stores the new credentials and revokes those that they replace. */
async function storeCredentials(service: Service, credentials: Credentials): Promise<void> {
  const previous = await withCredentialsLock(async () => {
    const previousCredentials = await readCredentials(service.baseUrl);
    await writeCredentials(service.baseUrl, credentials);
    return previousCredentials;
  });
  // A failed revocation is ignored: the replaced tokens are no longer used and expire.
  if (previous) await revokeTokens(service, previous).catch(() => undefined);
}

function isoTime({ expiresAtMs }: Credentials): string {
  return new Date(expiresAtMs).toISOString();
}
