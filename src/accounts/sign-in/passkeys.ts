/** An account's passkeys: used, renamed and removed. */
import type { Passkey } from "../../../generated/prisma/client.ts";
import type { Database, Statement } from "../../platform/database/connection.ts";
import { NotFoundError, ServiceError } from "../../platform/errors.ts";
import { requireRecentProof, requireSession } from "../recent-proof.ts";
import type { Viewer } from "../viewer.ts";
import type { SignInDeps } from "./deps.ts";
import { notifyOwner } from "./owner-emails.ts";
import { readName } from "./passkey-registration.ts";
import { PasskeyRefusedError, type VerifiedAssertion } from "./passkey-responses.ts";

/** The passkey is the only thing that opens the account. */
export class LastSignInMethodError extends ServiceError {
  readonly code = "last_sign_in_method";
  constructor() {
    super("This passkey is the only way into the account. Add another passkey or an e-mail address first.");
  }
}

// All passkeys are locked, in one order, before they are counted: of two that are removed at once, the second is
// counted without the first.
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
  if (count === 0) throw new NotFoundError("There is no such passkey.");
  return await deps.db.prisma.passkey.findFirstOrThrow({ where });
}

/**
 * Removes a passkey, but never the last way into the account: an address counts where codes can be sent, an upstream
 * identity where its provider is configured.
 * @throws {ReauthenticationRequiredError | NotFoundError | LastSignInMethodError}
 */
export async function removePasskey(deps: SignInDeps, viewer: Viewer | null, passkeyId: string): Promise<void> {
  const { accountId } = requireRecentProof(viewer);
  const { account, passkey } = deps.db.prisma;
  const values = [passkeyId, accountId, deps.mailer.isConfigured, deps.upstream?.issuer ?? null];
  const removed = await deps.db.query(REMOVE, values);
  if (removed.length === 0) {
    const stands = (await passkey.count({ where: { id: passkeyId, accountId } })) > 0;
    throw stands ? new LastSignInMethodError() : new NotFoundError("There is no such passkey.");
  }
  const { email } = await account.findUniqueOrThrow({ where: { id: accountId }, select: { email: true } });
  await notifyOwner(deps, email, "passkeyRemoved");
}

// Counters of zero belong to passkeys that count nothing, as those that are synchronised. The comparison is made here
// again, at the moment of writing: of two copies used at once, one is refused.
const USE: Statement = {
  name: "use-passkey",
  text: `UPDATE passkeys SET counter = $3, is_backed_up = $4, last_used_at = now()
    WHERE id = $1 AND account_id = $2 AND (counter < $3 OR (counter = 0 AND $3 = 0)) RETURNING id`,
};

/** Keeps that the passkey was used. @throws {PasskeyRefusedError} when it is gone, or a copy of it was used meanwhile */
export async function usePasskey(
  db: Database,
  { id, accountId }: Passkey,
  { newCounter, isBackedUp }: VerifiedAssertion,
): Promise<void> {
  const used = await db.query(USE, [id, accountId, newCounter, isBackedUp]);
  if (used.length === 0) throw new PasskeyRefusedError();
}
