import { beginSession, type Proof, renewSession, revokeSession } from "../sessions.ts";
import { sessionOf } from "../viewer.ts";
import type { SignInDeps, Visitor } from "./deps.ts";

/**
 * Signs the browser in, after a proof. Always under a new secret, so that none planted before is worth anything. The
 * session of the same account goes on with the new proof; that of somebody else ends.
 * @returns the session's secret
 */
export async function establishSession(deps: SignInDeps, visitor: Visitor, proof: Proof): Promise<string> {
  const session = sessionOf(visitor.viewer);
  if (session?.accountId === proof.accountId) {
    const renewed = await renewSession(deps, session.credentialId, proof, visitor);
    if (renewed !== null) return renewed;
  }
  const secret = await beginSession(deps, proof, visitor);
  if (session && session.accountId !== proof.accountId) await revokeSession(deps, session, session.credentialId);
  return secret;
}
