import { isUniqueViolation } from "../../platform/database/errors.ts";
import { InvalidRequestError } from "../../platform/errors.ts";
import { readEmailAddress } from "../email-address.ts";
import type { NewAccount, SignInDeps, SignInResult, StartedAttempt, Visitor } from "./deps.ts";
import { sendCode, verifyCode } from "./email-codes.ts";
import { establishSession } from "./establish-session.ts";
import { limitSignIn } from "./limits.ts";
import { readReturnTo } from "./return-to.ts";

/**
 * Sends a code to sign in or to create an account. The email and the result are the same in both cases.
 * @throws {InvalidRequestError | RateLimitedError | MailNotConfiguredError | MailFailedError}
 */
export async function startEmailSignIn(
  deps: SignInDeps,
  visitor: Visitor,
  input: { readonly email: string; readonly returnTo: string | null },
): Promise<StartedAttempt> {
  const email = readEmailAddress(input.email);
  const returnTo = readReturnTo(input.returnTo);
  return await sendCode(deps, visitor, { email, accountId: null, returnTo, purpose: "sign in to Satchel" });
}

/**
 * Signs in with the code. Creates an account if no account has the address.
 * @throws {InvalidCodeError | RateLimitedError}
 */
export async function completeEmailSignIn(
  deps: SignInDeps,
  visitor: Visitor,
  input: { readonly attemptId: string; readonly code: string },
): Promise<SignInResult> {
  const { email, returnTo } = await verifyCode(deps, visitor, { ...input, accountId: null });
  const { accountId, isNew } = await findOrOpenAccount(deps, visitor, { email, displayName: null });
  const secret = await establishSession(deps, visitor, { accountId, method: "email_code" });
  return { secret, isNewAccount: isNew, returnTo };
}

/**
 * Returns the account of a verified address, creating it if there is none. Of two concurrent calls, one creates the
 * account and both return it.
 */
export async function findOrOpenAccount(
  deps: SignInDeps,
  visitor: Visitor,
  newAccount: NewAccount & { readonly email: string },
): Promise<{ accountId: string; isNew: boolean }> {
  const find = () => deps.db.prisma.account.findUnique({ where: { email: newAccount.email }, select: { id: true } });
  const known = await find();
  if (known) return { accountId: known.id, isNew: false };
  await limitSignIn(deps, "new_account", visitor.ip);
  try {
    return { accountId: (await deps.openAccount({ ...newAccount, ip: visitor.ip })).id, isNew: true };
  } catch (error) {
    const other = isUniqueConflict(error) ? await find() : null;
    if (!other) throw error;
    return { accountId: other.id, isNew: false };
  }
}

/** Returns true if creating the account failed because another account has the same unique value. */
export function isUniqueConflict(error: unknown): boolean {
  return error instanceof InvalidRequestError || isUniqueViolation(error);
}
