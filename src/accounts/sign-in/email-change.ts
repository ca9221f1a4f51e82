import type { Account } from "../../../generated/prisma/client.ts";
import { isUniqueViolation } from "../../platform/database/errors.ts";
import { InvalidRequestError } from "../../platform/errors.ts";
import { readEmailAddress } from "../email-address.ts";
import { requireRecentProof, requireSession } from "../recent-proof.ts";
import type { SignInDeps, StartedAttempt, Visitor } from "./deps.ts";
import { sendCode, verifyCode } from "./email-codes.ts";
import { notifyOwner } from "./owner-emails.ts";

/**
 * Sends a code to the account's new address. The result does not reveal whether another account has the address.
 * @throws {ReauthenticationRequiredError | InvalidRequestError | RateLimitedError | MailNotConfiguredError |
 *   MailFailedError}
 */
export async function startEmailChange(
  deps: SignInDeps,
  visitor: Visitor,
  input: { readonly email: string },
): Promise<StartedAttempt> {
  const { accountId } = requireRecentProof(visitor.viewer);
  const email = readEmailAddress(input.email);
  return await sendCode(deps, visitor, {
    email,
    accountId,
    returnTo: null,
    purpose: "make this the email address of your Satchel account",
  });
}

/** Grants free credit. Without it the address is verified nevertheless. Never rejects. */
async function grantCredit(deps: SignInDeps, accountId: string, ip: string | null): Promise<void> {
  try {
    await deps.grantCredit(accountId, ip);
  } catch (error) {
    deps.logger.error({ err: error, accountId }, "Free credit not granted");
  }
}

/**
 * Replaces the account's email address and notifies the previous one.
 * @throws {InvalidCodeError | RateLimitedError}
 * @throws {InvalidRequestError} if another account has the address; only a client that can read its mail learns this
 */
export async function completeEmailChange(
  deps: SignInDeps,
  visitor: Visitor,
  input: { readonly attemptId: string; readonly code: string },
): Promise<Account> {
  const { accountId } = requireSession(visitor.viewer);
  const { email } = await verifyCode(deps, visitor, { ...input, accountId });
  const { account } = deps.db.prisma;
  const before = await account.findUniqueOrThrow({ where: { id: accountId } });
  try {
    const changed = await account.update({ where: { id: accountId }, data: { email } });
    if (before.email !== email) await notifyOwner(deps, before.email, "emailChanged");
    if (before.email === null) await grantCredit(deps, accountId, visitor.ip);
    return changed;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new InvalidRequestError(
      "email: another account has this address. The address was not changed. Sign in to that account instead.",
      "email",
    );
  }
}
