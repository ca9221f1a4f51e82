/** The complete service with its own mail server. */
import { openMailServer } from "./mail-server.ts";
import { type OwnStack, startStack } from "./stack.ts";

export interface SignInStack {
  readonly stack: OwnStack;
  readonly mail: Awaited<ReturnType<typeof openMailServer>>;
  stop(): Promise<void>;
}

/** @param options.refuse SMTP reply of the mail server to a recipient; null accepts it */
export async function startSignInStack(
  options: { env?: Record<string, string>; rejectRecipient?: () => [code: number, text: string] | null } = {},
): Promise<SignInStack> {
  const { env = {}, rejectRecipient: refuse = () => null } = options;
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
