import { type Credentials, readCredentials, withCredentialsLock, writeCredentials } from "./credentials.ts";
import { CliError, notSignedIn } from "./errors.ts";
import { discover, refresh } from "./oauth.ts";

/** A token that ends sooner is replaced first (spec section 4.2). */
const REFRESH_BEFORE_MS = 300_000;

/**
 * A sign-in whose access token is good for at least five minutes. Of commands that run at once one refreshes, and the
 * others find what it kept.
 * @throws {CliError} when nobody is signed in, or the sign-in has ended, which also forgets it
 */
export async function currentCredentials(baseUrl: string): Promise<Credentials> {
  const kept = await readCredentials(baseUrl);
  if (!kept) throw notSignedIn(baseUrl);
  if (isFresh(kept)) return kept;
  return await withCredentialsLock(async () => {
    const now = await readCredentials(baseUrl);
    if (!now) throw notSignedIn(baseUrl);
    if (isFresh(now)) return now;
    try {
      const renewed = await refresh(await discover(baseUrl), now);
      await writeCredentials(baseUrl, renewed);
      return renewed;
    } catch (error) {
      if (error instanceof CliError && error.code === "sign_in_ended") await writeCredentials(baseUrl, null);
      throw error;
    }
  });
}

function isFresh({ expiresAtMs }: Credentials): boolean {
  return expiresAtMs - REFRESH_BEFORE_MS > Date.now();
}
