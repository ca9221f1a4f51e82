import { getCurrentCredentials } from "../access-token.ts";
import type { CommandContext } from "../command.ts";
import { readEnvironmentToken } from "../environment-token.ts";
import { discover, fetchUserInfo } from "../oauth.ts";
import { formatPairs } from "../output.ts";

/** Prints the signed-in account, as reported by the service. */
export async function whoami({ baseUrl, output }: CommandContext): Promise<void> {
  const token = readEnvironmentToken();
  if (token !== null) {
    const { sub } = await fetchUserInfo(await discover(baseUrl), token);
    return output.result({ baseUrl, sub }, () =>
      formatPairs([
        ["Service", baseUrl],
        ["Account", sub],
        ["Token", "from SATCHEL_TOKEN"],
      ]),
    );
  }
  const { accessToken, scope, expiresAtMs } = await getCurrentCredentials(baseUrl);
  const { sub } = await fetchUserInfo(await discover(baseUrl), accessToken);
  const expiresAt = new Date(expiresAtMs).toISOString();
  output.result({ baseUrl, sub, scope, expiresAt }, () =>
    formatPairs([
      ["Service", baseUrl],
      ["Account", sub],
      ["Scopes", scope],
      ["Expires", expiresAt],
    ]),
  );
}
