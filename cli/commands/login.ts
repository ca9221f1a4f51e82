import { setTimeout as delay } from "node:timers/promises";
import { openCallbackListener } from "../callback-listener.ts";
import type { CommandContext } from "../command.ts";
import { type Credentials, readCredentials, withCredentialsLock, writeCredentials } from "../credentials.ts";
import { CliError, EXIT } from "../errors.ts";
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
import { dim, formatPairs } from "../output.ts";
import { parseWholeNumber } from "../values.ts";
import { PROGRAM } from "../version.ts";

/** Maximum time to wait for the browser (spec section 8). */
const MAX_WAIT_SECONDS = 300;

/** Signs in through the browser: authorization code flow with PKCE and a loopback redirect. */
export async function login({ baseUrl, values, output }: CommandContext): Promise<void> {
  const waitSeconds = parseWholeNumber(values["timeout"], "--timeout", 1, MAX_WAIT_SECONDS) ?? MAX_WAIT_SECONDS;
  const service = await discover(baseUrl);
  const listener = await openCallbackListener();
  let credentials: Credentials;
  try {
    const authorization = await beginAuthorization(service, listener.redirectUri);
    const { url } = authorization;
    output.note(`Sign in with your browser:\n\n  ${url}\n`, { authorizationUrl: url });
    if (!values["no-browser"]) openBrowser(url);
    const progress = output.progress(dim("Waiting for the browser", process.stderr));
    try {
      credentials = await receiveCredentials(
        service,
        authorization,
        listener.waitForCallback(authorization.state),
        waitSeconds,
      );
    } finally {
      progress.done();
    }
  } finally {
    await listener.close();
  }
  await storeCredentials(service, credentials);
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
