import type { CommandContext } from "../command.ts";
import { readCredentials, withCredentialsLock, writeCredentials } from "../credentials.ts";
import { CliError } from "../errors.ts";
import { discover, revoke } from "../oauth.ts";

/** Ends the sign-in, at the service and here. Nobody signed in is no failure. */
export async function logout({ baseUrl, output }: CommandContext): Promise<void> {
  const ended = await withCredentialsLock(async () => {
    const found = await readCredentials(baseUrl);
    if (!found) return null;
    // Here first: whatever the service says, this machine keeps nothing.
    await writeCredentials(baseUrl, null);
    return found;
  });
  if (ended) {
    try {
      await revoke(await discover(baseUrl), ended);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      const hint = "The tokens were removed here, but the service was not told: disconnect the app in its dashboard.";
      throw new CliError(`${error.message} ${hint}`, error.exitCode, error.code);
    }
  }
  output.answer({ baseUrl, wasSignedIn: ended !== null }, () => [
    ended ? `Signed out of ${baseUrl}.` : `Nobody was signed in to ${baseUrl}.`,
  ]);
}
