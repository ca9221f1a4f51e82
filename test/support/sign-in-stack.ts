/** The whole service with a mail server of its own. */
import { openMailServer } from "./mail-server.ts";
import { type OwnStack, startStack } from "./stack.ts";

export interface SignInStack {
  readonly stack: OwnStack;
  readonly mail: Awaited<ReturnType<typeof openMailServer>>;
  stop(): Promise<void>;
}

/** @param options.refuse what the mail server answers to a recipient; null takes the letter */
export async function startSignInStack(
  options: { env?: Record<string, string>; refuse?: () => [code: number, text: string] | null } = {},
): Promise<SignInStack> {
  const { env = {}, refuse = () => null } = options;
  let closeMail = async () => {};
  const mail = await openMailServer({
    refuse,
    closeWith: (close) => {
      closeMail = close;
    },
  });
  const stack = await startStack({ env: { SMTP_URL: mail.url, ...env } });
  return {
    stack,
    mail,
    async stop() {
      await stack.stop();
      await closeMail();
    },
  };
}
