import { createHmac } from "node:crypto";
import { z } from "zod";
import { NotFoundError } from "../../platform/errors.ts";
import { readEmailAddress } from "../email-address.ts";
import { beginAttempt, consumeAttempt } from "./attempts.ts";
import type { Entered, SignInDeps, StartedAttempt, Visitor } from "./deps.ts";
import { findOrOpen, isTaken } from "./email-sign-in.ts";
import { establishSession } from "./establish-session.ts";
import { limitByNetwork } from "./limits.ts";
import { readReturnTo } from "./return-to.ts";
import type { PendingAuthorization, UpstreamPerson, UpstreamProvider } from "./upstream-provider.ts";

export const CALLBACK_PATH = "/auth/upstream/callback";
const LIFETIME_MS = 10 * 60_000;
const MAX_NAME_LENGTH = 100;

/** Why nobody is signed in: the attempt is unknown or past its time, the person or provider said no, or its answer was wrong. */
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
 * Begins a journey to the provider.
 * @returns where to send the browser
 * @throws {NotFoundError} no provider is configured
 */
export async function startUpstreamSignIn(
  deps: SignInDeps,
  visitor: Visitor,
  input: { readonly returnTo: string | null },
): Promise<StartedAttempt & { url: string }> {
  const provider = requireProvider(deps);
  await limitByNetwork(deps, "upstream", visitor.ip);
  const returnTo = readReturnTo(input.returnTo);
  const started = await beginAttempt(deps.db, visitor, {
    kind: "oidc",
    lifetimeMs: LIFETIME_MS,
    accountId: null,
    returnTo,
  });
  const journey = journeyOf(started.attemptId, started.browserSecret);
  // Somebody who is signed in wants to prove it anew: a session at the provider proves nothing new.
  const proveAnew = visitor.viewer?.kind === "account";
  try {
    return { ...started, url: await provider.authorizationUrl(journey, redirectUriOf(deps), proveAnew) };
  } catch (error) {
    throw new UpstreamSignInError("upstream_failed", returnTo, error);
  }
}

/**
 * Signs in whoever comes back from the provider: by an identity known here, else by a verified address, else as a new
 * account.
 * @param query the callback's query, as it came
 * @throws {UpstreamSignInError}
 */
export async function completeUpstreamSignIn(deps: SignInDeps, visitor: Visitor, query: string): Promise<Entered> {
  const provider = requireProvider(deps);
  await limitByNetwork(deps, "upstream", visitor.ip);
  const callback = new URL(`${redirectUriOf(deps)}?${query}`);
  const [id = ""] = (callback.searchParams.get("state") ?? "").split(".", 1);
  const attempt = await consumeAttempt(deps.db, visitor, { id, kind: "oidc", accountId: null, details: z.null() });
  if (!attempt || visitor.browserSecret === null) throw new UpstreamSignInError("upstream_expired", null);
  const { returnTo } = attempt;
  const journey = journeyOf(attempt.id, visitor.browserSecret);
  const person = await provider.personOf(callback, journey, redirectUriOf(deps)).catch((error: unknown) => {
    const isRefusal = error instanceof Error && "error" in error && error.error === "access_denied";
    throw new UpstreamSignInError(isRefusal ? "upstream_refused" : "upstream_failed", returnTo, error);
  });
  const { accountId, isNew } = await accountOf(deps, visitor, provider, person);
  const secret = await establishSession(deps, visitor, { accountId, method: "oidc", provedAt: person.provedAt });
  return { secret, isNewAccount: isNew, returnTo };
}

async function accountOf(deps: SignInDeps, visitor: Visitor, { issuer }: UpstreamProvider, person: UpstreamPerson) {
  const { upstreamIdentity } = deps.db.prisma;
  const identity = { issuer, subject: person.subject };
  const find = () => upstreamIdentity.findUnique({ where: { issuer_subject: identity } });
  const known = await find();
  if (known) return { accountId: known.accountId, isNew: false };
  const displayName = person.name?.trim().slice(0, MAX_NAME_LENGTH).toWellFormed().replaceAll("\0", "") || null;
  const newPerson = { email: person.email === null ? null : readEmailAddress(person.email), displayName, identity };
  if (newPerson.email !== null) {
    const found = await findOrOpen(deps, visitor, { ...newPerson, email: newPerson.email });
    if (!found.isNew) {
      const data = [{ ...identity, accountId: found.accountId }];
      await upstreamIdentity.createMany({ data, skipDuplicates: true });
    }
    return found;
  }
  await limitByNetwork(deps, "new_account", visitor.ip);
  try {
    return { accountId: (await deps.openAccount(newPerson)).id, isNew: true };
  } catch (error) {
    // Another callback of the same person was first.
    const other = isTaken(error) ? await find() : null;
    if (!other) throw error;
    return { accountId: other.accountId, isNew: false };
  }
}

/** Made from the browser's secret, so that nothing of it need be stored. */
function journeyOf(attemptId: string, browserSecret: string): PendingAuthorization {
  const derive = (what: string) =>
    createHmac("sha256", browserSecret).update(`${what}\0${attemptId}`).digest("base64url");
  return { state: `${attemptId}.${derive("state")}`, nonce: derive("nonce"), codeVerifier: derive("code verifier") };
}

function redirectUriOf({ site }: SignInDeps): string {
  return `${site.browserUrl()}${CALLBACK_PATH}`;
}

function requireProvider({ upstream }: SignInDeps): UpstreamProvider {
  if (!upstream) throw new NotFoundError("No OpenID provider is configured here.");
  return upstream;
}
