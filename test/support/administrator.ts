/** A signed-in administrator of the shared stack. */
import { type Browser, openSignedInBrowser } from "./oauth.ts";
import { ADMIN_EMAIL, type Stack } from "./stack.ts";

export interface TestAdministrator extends Browser {
  /** Ends the account's right, so that another test can have it. */
  resign(): Promise<void>;
}

/** Makes the account the administrator and signs it in. */
export async function signInAdministrator(stack: Stack, accountId: string): Promise<TestAdministrator> {
  const { account } = stack.service.deps.db.prisma;
  await account.updateMany({ where: { email: ADMIN_EMAIL }, data: { email: null } });
  await account.update({ where: { id: accountId }, data: { email: ADMIN_EMAIL } });
  return {
    ...(await openSignedInBrowser(stack, accountId)),
    async resign() {
      await account.update({ where: { id: accountId }, data: { email: null } });
    },
  };
}
