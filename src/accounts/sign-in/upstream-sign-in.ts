import { createHmac } from "node:crypto";
import { z } from "zod";
import { NotFoundError } from "../../platform/errors.ts";
import { readEmailAddress } from "../email-address.ts";
import { beginAttempt, consumeAttempt } from "./attempts.ts";
import type { SignInDeps, SignInResult, StartedAttempt, Visitor } from "./deps.ts";
import { findOrOpenAccount, isUniqueConflict } from "./email-sign-in.ts";
import { establishSession } from "./establish-session.ts";
import { limitSignIn } from "./limits.ts";
import { readReturnTo } from "./return-to.ts";
import type { PendingAuthorization, UpstreamProvider, UpstreamUser } from "./upstream-provider.ts";

export const CALLBACK_PATH = "/auth/upstream/callback";
const LIFETIME_MS = 10 * 60_000;
const MAX_NAME_LENGTH = 100;

/**
 * Why the sign-in failed. `upstream_expired`: the attempt is unknown or has expired. `upstream_refused`: the user or
 * the provider denied it. `upstream_failed`: the provider's response is missing or invalid.
 */
export type UpstreamFailure = "upstream_expired" | "upstream_refused" | "upstream_failed";

export class UpstreamSignInError extends Error {
  override readonly name = "UpstreamSignInError";
  readonly failure: UpstreamFailure;
  readonly returnTo: string | null;
  constructor(failure: UpstreamFailure, returnTo: string | null, cause?: unknown) {
    super(failure, { cause });
    this.failure = failure;
    this.returnTo = returnTo;
  }
}

/**
 * Starts a sign-in through the OpenID provider.
 * @returns the attempt and the URL to redirect the browser to
 * @throws {NotFoundError} if no provider is configured
 * @throws {UpstreamSignInError} if the provider's metadata cannot be read
 */
export async function startUpstreamSignIn(
  deps: SignInDeps,
  visitor: Visitor,
  input: { readonly returnTo: string | null },
): Promise<StartedAttempt & { url: string }> {
  const provider = requireProvider(deps);
  await limitSignIn(deps, "upstream", visitor.ip);
  const returnTo = readReturnTo(input.returnTo);
  const started = await beginAttempt(deps.db, visitor, {
    kind: "oidc",
    lifetimeMs: LIFETIME_MS,
    accountId: null,
    returnTo,
  });
  const pending = derivePendingAuthorization(started.attemptId, started.browserSecret);
  // A signed-in user renews the proof of identity; an existing session at the provider would not be a new proof.
  const forceLogin = visitor.viewer?.kind === "account";
  try {
    return { ...started, url: await provider.authorizationUrl(pending, callbackUrl(deps), forceLogin) };
  } catch (error) {
    throw new UpstreamSignInError("upstream_failed", returnTo, error);
  }
}

/**
 * Signs in the user that the provider authenticated. Matches a stored identity, then a verified email address, and
 * otherwise creates an account.
 * @param query the raw query string of the callback
 * @throws {UpstreamSignInError}
 */
export async function completeUpstreamSignIn(
  deps: SignInDeps,
  visitor: Visitor,
  query: string,
): Promise<SignInResult & { readonly accountId: string }> {
  const provider = requireProvider(deps);
  await limitSignIn(deps, "upstream", visitor.ip);
  const callback = new URL(`${callbackUrl(deps)}?${query}`);
  const [id = ""] = (callback.searchParams.get("state") ?? "").split(".", 1);
  const attempt = await consumeAttempt(deps.db, visitor, { id, kind: "oidc", accountId: null, details: z.null() });
  if (!attempt || visitor.browserSecret === null) throw new UpstreamSignInError("upstream_expired", null);
  const { returnTo } = attempt;
  const pending = derivePendingAuthorization(attempt.id, visitor.browserSecret);
  const user = await provider.fetchUser(callback, pending, callbackUrl(deps)).catch((error: unknown) => {
    const isRefusal = error instanceof Error && "error" in error && error.error === "access_denied";
    throw new UpstreamSignInError(isRefusal ? "upstream_refused" : "upstream_failed", returnTo, error);
  });
  const { accountId, isNew } = await findOrOpenUpstreamAccount(deps, visitor, provider, user);
  const secret = await establishSession(deps, visitor, { accountId, method: "oidc", provedAt: user.provedAt });
  return { secret, accountId, isNewAccount: isNew, returnTo };
}

async function findOrOpenUpstreamAccount(
  deps: SignInDeps,
  visitor: Visitor,
  { issuer }: UpstreamProvider,
  user: UpstreamUser,
) {
  const { upstreamIdentity } = deps.db.prisma;
  const identity = { issuer, subject: user.subject };
  const find = () => upstreamIdentity.findUnique({ where: { issuer_subject: identity } });
  const known = await find();
  if (known) return { accountId: known.accountId, isNew: false };
  const displayName = user.name?.trim().slice(0, MAX_NAME_LENGTH).toWellFormed().replaceAll("\0", "") || null;
  const newAccount = { email: user.email === null ? null : readEmailAddress(user.email), displayName, identity };
  if (newAccount.email !== null) {
    const found = await findOrOpenAccount(deps, visitor, { ...newAccount, email: newAccount.email });
    if (!found.isNew) {
      const data = [{ ...identity, accountId: found.accountId }];
      await upstreamIdentity.createMany({ data, skipDuplicates: true });
    }
    return found;
  }
  await limitSignIn(deps, "new_account", visitor.ip);
  try {
    return { accountId: (await deps.openAccount(newAccount)).id, isNew: true };
  } catch (error) {
    // A concurrent callback of the same user created the account.
    const other = isUniqueConflict(error) ? await find() : null;
    if (!other) throw error;
    return { accountId: other.accountId, isNew: false };
  }
}

/** Derives state, nonce and code verifier from the browser's secret, so none of them has to be stored. */
function derivePendingAuthorization(attemptId: string, browserSecret: string): PendingAuthorization {
  const derive = (label: string) =>
    createHmac("sha256", browserSecret).update(`${label}\0${attemptId}`).digest("base64url");
  return { state: `${attemptId}.${derive("state")}`, nonce: derive("nonce"), codeVerifier: derive("code verifier") };
}

function callbackUrl({ site }: SignInDeps): string {
  return `${site.browserUrl()}${CALLBACK_PATH}`;
}

function requireProvider({ upstream }: SignInDeps): UpstreamProvider {
  if (!upstream) throw new NotFoundError("No OpenID provider is configured. Use another sign-in method.");
  return upstream;
}
