import type { CommandContext } from "../command.ts";
import { readCredentials, withCredentialsLock, writeCredentials } from "../credentials.ts";
import { CliError } from "../errors.ts";
import { discover, revokeTokens } from "../oauth.ts";

/** Deletes the stored tokens and revokes them at the service. Succeeds if no user is signed in. */
export async function logout({ baseUrl, output }: CommandContext): Promise<void> {
  const removed = await withCredentialsLock(async () => {
    const stored = await readCredentials(baseUrl);
    if (!stored) return null;
    // Deleted first, so that no tokens remain here if the revocation fails.
    await writeCredentials(baseUrl, null);
    return stored;
  });
  if (removed) {
    try {
      await revokeTokens(await discover(baseUrl), removed);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      const hint = "The tokens were deleted here but not revoked: disconnect the app in the dashboard.";
      throw new CliError(`${error.message} ${hint}`, error.exitCode, error.code);
    }
  }
  output.result({ baseUrl, wasSignedIn: removed !== null }, () => [
    removed ? `Signed out of ${baseUrl}.` : `Not signed in to ${baseUrl}.`,
  ]);
}
