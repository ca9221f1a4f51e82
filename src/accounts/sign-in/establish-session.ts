import { assertMaySignIn } from "../freeze/sign-in-while-frozen.ts";
import { beginSession, type Proof, renewSession, revokeSession } from "../sessions.ts";
import { asSession } from "../viewer.ts";
import type { SignInDeps, Visitor } from "./deps.ts";

/**
 * Signs the browser in after a proof of identity. Always issues a new secret, which prevents session fixation. Renews
 * an existing session of the same account and revokes a session of another account.
 * @returns the session's secret
 * @throws {AccountFrozenError | ServiceFrozenError} as `assertMaySignIn`
 */
export async function establishSession(deps: SignInDeps, visitor: Visitor, proof: Proof): Promise<string> {
  await assertMaySignIn(deps, proof.accountId);
  const session = asSession(visitor.viewer);
  if (session?.accountId === proof.accountId) {
    const renewed = await renewSession(deps, session.credentialId, proof, visitor);
    if (renewed !== null) return renewed;
  }
  const secret = await beginSession(deps, proof, visitor);
  if (session && session.accountId !== proof.accountId) await revokeSession(deps, session, session.credentialId);
  return secret;
}
