import { ServiceFrozenError } from "../../platform/errors.ts";
import type { SignInDeps } from "../sign-in/deps.ts";
import { findFreeze, freezeError, isServiceFrozen } from "./freeze-state.ts";

type SignInFreezeDeps = Pick<SignInDeps, "db" | "adminEmails">;

/**
 * Checks that the account's owner may sign in. An owner who froze the account may, to read it and to resume it. While the service is
 * frozen only administrators may, to end the freeze.
 * @throws {AccountFrozenError | ServiceFrozenError}
 */
export async function assertMaySignIn(deps: SignInFreezeDeps, accountId: string): Promise<void> {
  const frozenBy = await findFreeze(deps.db, accountId);
  if (frozenBy === null) return;
  if (frozenBy === "administrator") throw freezeError(frozenBy);
  if (!(await isServiceFrozen(deps.db))) return;
  const where = { id: accountId };
  const { email } = await deps.db.prisma.account.findUniqueOrThrow({ where, select: { email: true } });
  if (email === null || !deps.adminEmails.includes(email)) throw new ServiceFrozenError();
}

/** Checks that accounts may be created. @throws {ServiceFrozenError} */
export async function assertMaySignUp({ db }: Pick<SignInFreezeDeps, "db">): Promise<void> {
  if (await isServiceFrozen(db)) throw new ServiceFrozenError();
}
