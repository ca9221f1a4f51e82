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
  if (frozenBy === null || frozenBy === "owner") return;
  const { email, frozenBy: accountFrozenBy } = await deps.db.prisma.account.findUniqueOrThrow({
    where: { id: accountId },
    select: { email: true, frozenBy: true },
  });
  if (accountFrozenBy === "administrator") throw freezeError("administrator");
  if (email !== null && deps.adminEmails.includes(email)) return;
  throw freezeError(frozenBy);
}

/** Checks that accounts may be created. @throws {ServiceFrozenError} */
export async function assertMaySignUp({ db }: Pick<SignInFreezeDeps, "db">): Promise<void> {
  if (await isServiceFrozen(db)) throw new ServiceFrozenError();
}
