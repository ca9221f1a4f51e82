/** Registration of passkeys, for the signed-in account or for a new account. */
import { randomUUID } from "node:crypto";
import { generateRegistrationOptions, type PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/server";
import { z } from "zod";
import type { Passkey } from "../../../generated/prisma/client.ts";
import { isUniqueViolation } from "../../platform/database/errors.ts";
import { InvalidRequestError } from "../../platform/errors.ts";
import { withAccountLock } from "../account-lock.ts";
import { requireRecentProof, requireSession } from "../recent-proof.ts";
import { beginAttempt, consumeAttempt } from "./attempts.ts";
import type { NewPasskey, SignInDeps, SignInResult, StartedAttempt, Visitor } from "./deps.ts";
import { establishSession } from "./establish-session.ts";
import { limitSignIn } from "./limits.ts";
import { notifyOwner } from "./owner-emails.ts";
import { PasskeyRefusedError, readRegistration, verifyRegistration } from "./passkey-responses.ts";
import { requireRelyingParty, userHandleBytes } from "./relying-party.ts";

const LIFETIME_MS = 5 * 60_000;
const MAX_NAME_LENGTH = 100;
const MAX_PASSKEYS = 20;
const DEFAULT_NAME = "Passkey";
/** COSE identifiers of Ed25519, ES256 and RS256, the algorithms of common authenticators. */
const ALGORITHMS = [-8, -7, -257];

const Details = z.object({ challenge: z.string(), accountId: z.string(), displayName: z.string() });

export type StartedRegistration = StartedAttempt & { options: PublicKeyCredentialCreationOptionsJSON };

/** Starts the creation of an account with a passkey as its only sign-in method. */
export async function startPasskeySignUp(
  deps: SignInDeps,
  visitor: Visitor,
  input: { readonly displayName: string },
): Promise<StartedRegistration> {
  await limitSignIn(deps, "passkey", visitor.ip);
  const displayName = readName(input.displayName, "displayName");
  const user = { accountId: randomUUID(), userName: displayName, displayName };
  return await startRegistration(deps, visitor, user, { accountId: null });
}

/**
 * Creates the account with its new passkey and signs in.
 * @param input.response a RegistrationResponseJSON
 * @throws {PasskeyRefusedError | InvalidRequestError | RateLimitedError}
 */
export async function completePasskeySignUp(
  deps: SignInDeps,
  visitor: Visitor,
  input: { readonly attemptId: string; readonly name: string | null; readonly response?: unknown },
): Promise<SignInResult> {
  await limitSignIn(deps, "passkey", visitor.ip);
  const { passkey, details } = await completeRegistration(deps, visitor, input, null);
  await limitSignIn(deps, "new_account", visitor.ip);
  const { accountId: id, displayName } = details;
  const { id: accountId } = await deps.openAccount({ id, email: null, displayName, passkey }).catch(rejectDuplicate);
  const secret = await establishSession(deps, visitor, { accountId, method: "passkey" });
  return { secret, isNewAccount: true, returnTo: null };
}

/**
 * Starts the registration of another passkey for the signed-in account.
 * @throws {ReauthenticationRequiredError} if the last proof of identity is more than 10 minutes old
 */
export async function startPasskeyRegistration(deps: SignInDeps, visitor: Visitor): Promise<StartedRegistration> {
  const { accountId } = requireRecentProof(visitor.viewer);
  const { account, passkey } = deps.db.prisma;
  const { email, displayName } = await account.findUniqueOrThrow({ where: { id: accountId } });
  const known = await passkey.findMany({ where: { accountId }, select: { id: true, transports: true } });
  if (known.length >= MAX_PASSKEYS) throw tooManyPasskeysError();
  const userName = email ?? displayName ?? "Satchel";
  return await startRegistration(
    deps,
    visitor,
    { accountId, userName, displayName: displayName ?? userName },
    { accountId, known },
  );
}

/**
 * Verifies and stores the new passkey and notifies the account owner.
 * @throws {PasskeyRefusedError | InvalidRequestError}
 */
export async function completePasskeyRegistration(
  deps: SignInDeps,
  visitor: Visitor,
  input: { readonly attemptId: string; readonly name: string | null; readonly response?: unknown },
): Promise<Passkey> {
  const { accountId } = requireSession(visitor.viewer);
  const { passkey } = await completeRegistration(deps, visitor, input, accountId);
  const stored = await withAccountLock(deps.db, accountId, async (tx) => {
    // Other registrations may have completed since this one started.
    if ((await tx.passkey.count({ where: { accountId } })) >= MAX_PASSKEYS) throw tooManyPasskeysError();
    return await tx.passkey.create({
      data: { ...passkey, accountId },
      include: { account: { select: { email: true } } },
    });
  }).catch(rejectDuplicate);
  await notifyOwner(deps, stored.account.email, "passkeyAdded");
  return stored;
}

const tooManyPasskeysError = () =>
  new InvalidRequestError(`The passkey was not added: an account has at most ${MAX_PASSKEYS}. Remove one first.`);

/**
 * Returns the trimmed name.
 * @throws {InvalidRequestError} for `field` unless the name has 1 to 100 characters
 */
export function readName(text: string, field: string): string {
  const name = text.trim();
  if (name === "" || name.length > MAX_NAME_LENGTH) {
    throw new InvalidRequestError(`${field} must have 1 to ${MAX_NAME_LENGTH} characters.`, field);
  }
  return name;
}

async function startRegistration(
  deps: SignInDeps,
  visitor: Visitor,
  user: { readonly accountId: string; readonly userName: string; readonly displayName: string },
  attempt: {
    readonly accountId: string | null;
    readonly known?: readonly { readonly id: string; readonly transports: string[] }[];
  },
): Promise<StartedRegistration> {
  const party = requireRelyingParty(deps.site);
  const options = await generateRegistrationOptions({
    rpName: "Satchel",
    rpID: party.id,
    userID: userHandleBytes(user.accountId),
    userName: user.userName,
    userDisplayName: user.displayName,
    attestationType: "none",
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: [...(attempt.known ?? [])],
    timeout: LIFETIME_MS,
  });
  const { accountId, displayName } = user;
  const started = await beginAttempt(deps.db, visitor, {
    kind: "passkey_registration",
    lifetimeMs: LIFETIME_MS,
    accountId: attempt.accountId,
    details: { challenge: options.challenge, accountId, displayName },
  });
  return { ...started, options };
}

async function completeRegistration(
  deps: SignInDeps,
  visitor: Visitor,
  input: { readonly attemptId: string; readonly name: string | null; readonly response?: unknown },
  accountId: string | null,
) {
  const party = requireRelyingParty(deps.site);
  const name = input.name === null ? DEFAULT_NAME : readName(input.name, "name");
  const response = readRegistration(input.response);
  const attempt = await consumeAttempt(deps.db, visitor, {
    id: input.attemptId,
    kind: "passkey_registration",
    accountId,
    details: Details,
  });
  if (!attempt) throw new PasskeyRefusedError();
  const { details } = attempt;
  const passkey: NewPasskey = { ...(await verifyRegistration(party, response, details.challenge)), name };
  return { passkey, details };
}

/** Rethrows the error, or throws `PasskeyRefusedError` if the credential is already registered. */
function rejectDuplicate(error: unknown): never {
  throw isUniqueViolation(error) ? new PasskeyRefusedError() : error;
}
