import { isUniqueViolation } from "../../platform/database/errors.ts";
import { InvalidRequestError } from "../../platform/errors.ts";
import { readEmailAddress } from "../email-address.ts";
import type { Entered, NewPerson, SignInDeps, StartedAttempt, Visitor } from "./deps.ts";
import { sendCode, verifyCode } from "./email-codes.ts";
import { establishSession } from "./establish-session.ts";
import { limitByNetwork } from "./limits.ts";
import { readReturnTo } from "./return-to.ts";

/**
 * Sends a code to sign in with, or to open an account with: the letter and the answer are the same.
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
 * Signs in with the code, and opens an account when nobody has the address.
 * @throws {InvalidCodeError | RateLimitedError}
 */
export async function completeEmailSignIn(
  deps: SignInDeps,
  visitor: Visitor,
  input: { readonly attemptId: string; readonly code: string },
): Promise<Entered> {
  const { email, returnTo } = await verifyCode(deps, visitor, { ...input, accountId: null });
  const { accountId, isNew } = await findOrOpen(deps, visitor, { email, displayName: null });
  const secret = await establishSession(deps, visitor, { accountId, method: "email_code" });
  return { secret, isNewAccount: isNew, returnTo };
}

/** The account of a verified address, opened when there is none; of two that ask at once, one opens it and both find it. */
export async function findOrOpen(
  deps: SignInDeps,
  visitor: Visitor,
  person: NewPerson & { readonly email: string },
): Promise<{ accountId: string; isNew: boolean }> {
  const find = () => deps.db.prisma.account.findUnique({ where: { email: person.email }, select: { id: true } });
  const known = await find();
  if (known) return { accountId: known.id, isNew: false };
  await limitByNetwork(deps, "new_account", visitor.ip);
  try {
    return { accountId: (await deps.openAccount(person)).id, isNew: true };
  } catch (error) {
    const other = isTaken(error) ? await find() : null;
    if (!other) throw error;
    return { accountId: other.id, isNew: false };
  }
}

/** Whether somebody else has taken what must be unique. */
export function isTaken(error: unknown): boolean {
  return error instanceof InvalidRequestError || isUniqueViolation(error);
}
