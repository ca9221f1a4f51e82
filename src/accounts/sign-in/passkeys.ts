/** Passkeys of an account: use, rename and remove. */
import type { Passkey } from "../../../generated/prisma/client.ts";
import type { Database, Statement } from "../../platform/database/connection.ts";
import { NotFoundError, ServiceError } from "../../platform/errors.ts";
import { requireRecentProof, requireSession } from "../recent-proof.ts";
import type { Viewer } from "../viewer.ts";
import type { SignInDeps } from "./deps.ts";
import { notifyOwner } from "./owner-emails.ts";
import { readName } from "./passkey-registration.ts";
import { PasskeyRefusedError, type VerifiedAssertion } from "./passkey-responses.ts";

/** The passkey is the account's only sign-in method. */
export class LastSignInMethodError extends ServiceError {
  readonly code = "last_sign_in_method";
  constructor() {
    super(
      "The passkey was not removed: it is the account's only sign-in method. Add another passkey or an email address first.",
    );
  }
}

// Locks all passkeys in a fixed order before counting them, so concurrent removals cannot remove the last one.
const REMOVE: Statement = {
  name: "remove-passkey",
  text: `WITH standing AS (
      SELECT id FROM passkeys WHERE account_id = $2 ORDER BY id FOR UPDATE
    )
    DELETE FROM passkeys WHERE id = $1 AND account_id = $2 AND (
      (SELECT count(*) FROM standing) > 1
      OR ($3 AND EXISTS (SELECT 1 FROM accounts WHERE id = $2 AND email IS NOT NULL))
      OR EXISTS (SELECT 1 FROM upstream_identities WHERE account_id = $2 AND issuer = $4)
    ) RETURNING id`,
};

/** @throws {NotFoundError | InvalidRequestError} */
export async function renamePasskey(
  deps: SignInDeps,
  viewer: Viewer | null,
  input: { readonly passkeyId: string; readonly name: string },
): Promise<Passkey> {
  const { accountId } = requireSession(viewer);
  const name = readName(input.name, "name");
  const where = { id: input.passkeyId, accountId };
  const { count } = await deps.db.prisma.passkey.updateMany({ where, data: { name } });
  if (count === 0) throw new NotFoundError("Passkey not found.");
  return await deps.db.prisma.passkey.findFirstOrThrow({ where });
}

/**
 * Removes a passkey unless it is the account's only sign-in method, and notifies the account owner. An email address
 * counts as a method only if a mailer is configured; an upstream identity only if its provider is.
 * @throws {ReauthenticationRequiredError | NotFoundError | LastSignInMethodError}
 */
export async function removePasskey(deps: SignInDeps, viewer: Viewer | null, passkeyId: string): Promise<void> {
  const { accountId } = requireRecentProof(viewer);
  const { account, passkey } = deps.db.prisma;
  const values = [passkeyId, accountId, deps.mailer.isConfigured, deps.upstream?.issuer ?? null];
  const removed = await deps.db.query(REMOVE, values);
  if (removed.length === 0) {
    const exists = (await passkey.count({ where: { id: passkeyId, accountId } })) > 0;
    throw exists ? new LastSignInMethodError() : new NotFoundError("Passkey not found.");
  }
  const { email } = await account.findUniqueOrThrow({ where: { id: accountId }, select: { email: true } });
  await notifyOwner(deps, email, "passkeyRemoved");
}

// Passkeys without a counter, such as synchronised ones, always report zero. The update repeats the library's
// comparison,
// so of two cloned passkeys used concurrently one is rejected.
const RECORD_USE: Statement = {
  name: "use-passkey",
  text: `UPDATE passkeys SET counter = $3, is_backed_up = $4, last_used_at = now()
    WHERE id = $1 AND account_id = $2 AND (counter < $3 OR (counter = 0 AND $3 = 0)) RETURNING id`,
};

/**
 * Records the use of a passkey.
 * @throws {PasskeyRefusedError} if the passkey was removed, or a clone was used concurrently
 */
export async function recordPasskeyUse(
  db: Database,
  { id, accountId }: Passkey,
  { newCounter, isBackedUp }: VerifiedAssertion,
): Promise<void> {
  const used = await db.query(RECORD_USE, [id, accountId, newCounter, isBackedUp]);
  if (used.length === 0) throw new PasskeyRefusedError();
}
