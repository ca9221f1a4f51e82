import { type Credentials, readCredentials, withCredentialsLock, writeCredentials } from "./credentials.ts";
import { readEnvironmentToken } from "./environment-token.ts";
import { CliError, createNotSignedInError } from "./errors.ts";
import { discover, refreshCredentials } from "./oauth.ts";

/** Remaining lifetime below which a token is refreshed before use (spec section 4.2). */
const REFRESH_BEFORE_MS = 300_000;

/**
 * Returns the access token for a request: that of `SATCHEL_TOKEN`, otherwise the stored one.
 * @throws {CliError} like `getCurrentCredentials`
 */
export async function getAccessToken(baseUrl: string): Promise<string> {
  return readEnvironmentToken() ?? (await getCurrentCredentials(baseUrl)).accessToken;
}

/**
 * Returns credentials whose access token is valid for at least five minutes. Of concurrent commands, one refreshes the
 * token and the others read the stored result.
 *
 * @throws {CliError} if no user is signed in, or if the sign-in has ended, which also deletes its credentials
 */
export async function getCurrentCredentials(baseUrl: string): Promise<Credentials> {
  const stored = await readCredentials(baseUrl);
  if (!stored) throw createNotSignedInError(baseUrl);
  if (isFresh(stored)) return stored;
  return await withCredentialsLock(async () => {
    const current = await readCredentials(baseUrl);
    if (!current) throw createNotSignedInError(baseUrl);
    if (isFresh(current)) return current;
    try {
      const refreshed = await refreshCredentials(await discover(baseUrl), current);
      await writeCredentials(baseUrl, refreshed);
      return refreshed;
    } catch (error) {
      if (error instanceof CliError && error.code === "sign_in_ended") await writeCredentials(baseUrl, null);
      throw error;
    }
  });
}

function isFresh({ expiresAtMs }: Credentials): boolean {
  return expiresAtMs - REFRESH_BEFORE_MS > Date.now();
}
