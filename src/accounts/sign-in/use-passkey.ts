import type { Passkey } from "../../../generated/prisma/client.ts";
import type { Database, Statement } from "../../platform/database/connection.ts";
import { PasskeyRefusedError, type VerifiedAssertion } from "./passkey-responses.ts";

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
