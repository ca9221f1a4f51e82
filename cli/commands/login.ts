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
  revoke,
  type Service,
  userInfo,
} from "../oauth.ts";
import { openBrowser } from "../open-browser.ts";
import { dim, pairs } from "../output.ts";
import { wholeNumber } from "../values.ts";
import { PROGRAM } from "../version.ts";

/** Spec section 8. */
const MAX_WAIT_SECONDS = 300;

/** Signs in through the browser: authorization code with PKCE, answered to a port of this machine. */
export async function login({ baseUrl, values, output }: CommandContext): Promise<void> {
  const waitSeconds = wholeNumber(values["timeout"], "--timeout", 1, MAX_WAIT_SECONDS) ?? MAX_WAIT_SECONDS;
  const service = await discover(baseUrl);
  const listener = await openCallbackListener();
  let credentials: Credentials;
  try {
    const authorization = await beginAuthorization(service, listener.redirectUri);
    const { url } = authorization;
    output.note(`Allow this in your browser, at\n\n  ${url}\n`, { authorizationUrl: url });
    if (!values["no-browser"]) openBrowser(url);
    const progress = output.progress(dim("Waiting for the browser", process.stderr));
    try {
      credentials = await receive(service, authorization, listener.answer(authorization.state), waitSeconds);
    } finally {
      progress.done();
    }
  } finally {
    await listener.close();
  }
  await keep(service, credentials);
  const answer = { baseUrl, sub: credentials.sub, scope: credentials.scope, expiresAt: isoTime(credentials) };
  output.answer(answer, () =>
    pairs([
      ["Signed in to", baseUrl],
      ["As", credentials.sub],
      ["May", credentials.scope],
      ["Until", isoTime(credentials)],
    ]),
  );
}

async function receive(
  service: Service,
  authorization: Authorization,
  answer: ReturnType<Awaited<ReturnType<typeof openCallbackListener>>["answer"]>,
  waitSeconds: number,
): Promise<Credentials> {
  const waiting = new AbortController();
  const timedOut = delay(waitSeconds * 1_000, null, { signal: waiting.signal }).catch(() => null);
  const callback = await Promise.race([answer, timedOut]);
  waiting.abort();
  if (!callback) {
    const text = `Nobody answered in the browser within ${waitSeconds} seconds. Nothing was kept. Run: ${PROGRAM} login`;
    throw new CliError(text, EXIT.timedOut, "timed_out");
  }
  try {
    const tokens = await completeAuthorization(service, authorization, callback.url);
    const { sub } = await userInfo(service, tokens.accessToken);
    callback.respond({ isSignedIn: true, text: "You can close this window and go back to the terminal." });
    return { ...tokens, sub };
  } catch (error) {
    const text = error instanceof CliError ? error.message : "Something went wrong.";
    callback.respond({ isSignedIn: false, text: `${text} You can close this window.` });
    throw error;
  }
}

/** Keeps the new sign-in, and ends the one it takes the place of. */
async function keep(service: Service, credentials: Credentials): Promise<void> {
  const previous = await withCredentialsLock(async () => {
    const found = await readCredentials(service.baseUrl);
    await writeCredentials(service.baseUrl, credentials);
    return found;
  });
  // Out of use either way: it ends by itself at the latest.
  if (previous) await revoke(service, previous).catch(() => undefined);
}

function isoTime({ expiresAtMs }: Credentials): string {
  return new Date(expiresAtMs).toISOString();
}
