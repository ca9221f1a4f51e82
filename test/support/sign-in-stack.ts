/** The whole service with a mail server: on PostgreSQL where there is one, so that races are races, else on PGlite. */
import { openMailServer } from "./mail-server.ts";
import { createDatabase } from "./postgresql.ts";
import { postgresqlUrl } from "./servers.ts";
import { type Stack, startStack } from "./stack.ts";

export interface SignInStack {
  readonly stack: Stack;
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
  const database = postgresqlUrl === null ? null : await createDatabase(postgresqlUrl);
  const databaseEnv = database ? { DATABASE_URL: database.databaseUrl } : {};
  const stack = await startStack({ env: { SMTP_URL: mail.url, ...databaseEnv, ...env } });
  return {
    stack,
    mail,
    async stop() {
      await stack.stop();
      await closeMail();
      await database?.drop();
    },
  };
}
