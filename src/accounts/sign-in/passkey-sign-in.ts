import { generateAuthenticationOptions, type PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/server";
import { z } from "zod";
import { beginAttempt, consumeAttempt } from "./attempts.ts";
import type { SignInDeps, SignInResult, StartedAttempt, Visitor } from "./deps.ts";
import { establishSession } from "./establish-session.ts";
import { limitSignIn } from "./limits.ts";
import { PasskeyRefusedError, readAuthentication, verifyAssertion } from "./passkey-responses.ts";
import { recordPasskeyUse } from "./passkeys.ts";
import { encodeUserHandle, requireRelyingParty } from "./relying-party.ts";

const LIFETIME_MS = 5 * 60_000;

const Details = z.object({ challenge: z.string() });

/** Starts a sign-in with a discoverable passkey. The user does not enter an account name first. */
export async function startPasskeySignIn(
  deps: SignInDeps,
  visitor: Visitor,
): Promise<StartedAttempt & { options: PublicKeyCredentialRequestOptionsJSON }> {
  const party = requireRelyingParty(deps.site);
  await limitSignIn(deps, "passkey", visitor.ip);
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    userVerification: "required",
    timeout: LIFETIME_MS,
  });
  const attempt = await beginAttempt(deps.db, visitor, {
    kind: "passkey_sign_in",
    lifetimeMs: LIFETIME_MS,
    accountId: null,
    details: { challenge: options.challenge },
  });
  return { ...attempt, options };
}

/**
 * Signs in with a passkey. The challenge is consumed by the first response, valid or not.
 * @param input.response an AuthenticationResponseJSON
 * @throws {PasskeyRefusedError | InvalidRequestError | RateLimitedError}
 */
export async function completePasskeySignIn(
  deps: SignInDeps,
  visitor: Visitor,
  input: { readonly attemptId: string; readonly response?: unknown },
): Promise<SignInResult> {
  const party = requireRelyingParty(deps.site);
  const assertion = readAuthentication(input.response);
  await limitSignIn(deps, "passkey", visitor.ip);
  const attempt = await consumeAttempt(deps.db, visitor, {
    id: input.attemptId,
    kind: "passkey_sign_in",
    accountId: null,
    details: Details,
  });
  if (!attempt) throw new PasskeyRefusedError();
  const passkey = await deps.db.prisma.passkey.findUnique({ where: { id: assertion.credentialId } });
  if (!passkey || assertion.userHandle !== encodeUserHandle(passkey.accountId)) throw new PasskeyRefusedError();
  const { challenge } = attempt.details;
  await recordPasskeyUse(deps.db, passkey, await verifyAssertion(party, passkey, assertion, challenge));
  const secret = await establishSession(deps, visitor, { accountId: passkey.accountId, method: "passkey" });
  return { secret, isNewAccount: false, returnTo: null };
}
