import { currentCredentials } from "../access-token.ts";
import type { CommandContext } from "../command.ts";
import { discover, userInfo } from "../oauth.ts";
import { pairs } from "../output.ts";

/** Whose sign-in it is, asked of the service. */
export async function whoami({ baseUrl, output }: CommandContext): Promise<void> {
  const { accessToken, scope, expiresAtMs } = await currentCredentials(baseUrl);
  const { sub } = await userInfo(await discover(baseUrl), accessToken);
  const expiresAt = new Date(expiresAtMs).toISOString();
  output.answer({ baseUrl, sub, scope, expiresAt }, () =>
    pairs([
      ["Service", baseUrl],
      ["Signed in as", sub],
      ["May", scope],
      ["Until", expiresAt],
    ]),
  );
}
