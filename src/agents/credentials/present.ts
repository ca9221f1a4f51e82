/** Presents an agent credential to a verifier: selected claims, and a key binding signed by the agent's holder key. */
import type { AgentCredential } from "../../../generated/prisma/client.ts";
import { type AccountViewer, requireAccount, type Scope, type Viewer } from "../../accounts/viewer.ts";
import type { Database } from "../../platform/database/connection.ts";
import { ForbiddenError, InvalidRequestError, NotFoundError } from "../../platform/errors.ts";
import { openHolderKey } from "../holder-key.ts";
import type { CredentialDeps } from "./deps.ts";
import type { CredentialKind } from "./kinds.ts";
import { refreshCredentials } from "./refresh.ts";
import { disclosableNames, presentCredential } from "./sd-jwt.ts";

/** Required even while scopes are unenforced, because presenting a credential is acting as the agent. */
const SCOPES: readonly Scope[] = ["agent:read", "payments:sign"];
const PER_MINUTE = 60;
const MAX_AUDIENCE_LENGTH = 2_048;
const MAX_NONCE_LENGTH = 512;
const MAX_NAMES = 100;
/** Control characters, which are invalid in an audience or nonce. */
const CONTROL_CHARACTER = /\p{Cc}/u;

export interface PresentInput {
  readonly kind: CredentialKind;
  /** Identifier of the verifier, usually its origin. */
  readonly audience: string;
  /** Nonce issued by the verifier, which prevents replay. */
  readonly nonce: string;
  /** Names of claims, such as `limits` or `limits.daily_usd`. A name includes all claims beneath it. */
  readonly disclose: readonly string[];
}

export interface Presentation {
  readonly credential: AgentCredential;
  /** An SD-JWT with key binding (SD-JWT+KB). */
  readonly presentation: string;
  /** Names of the disclosed claims, without the claims that are always visible. */
  readonly disclosed: readonly string[];
}

/**
 * Creates a presentation of a current credential. Replaces an outdated credential first.
 * @throws {UnauthorizedError | ForbiddenError} unless the viewer has the scopes `agent:read` and `payments:sign`
 * @throws {InvalidRequestError} naming the field
 * @throws {NotFoundError} when the agent has no credential of that kind
 * @throws {RateLimitedError} beyond 60 a minute
 */
export async function presentAgentCredential(
  deps: CredentialDeps,
  viewer: Viewer | null,
  input: PresentInput,
): Promise<Presentation> {
  const { accountId } = requirePresenter(viewer);
  const { kind, audience, nonce } = input;
  validateText("audience", audience, MAX_AUDIENCE_LENGTH);
  validateText("nonce", nonce, MAX_NONCE_LENGTH);
  if (input.disclose.length > MAX_NAMES) {
    throw new InvalidRequestError(`disclose has at most ${MAX_NAMES} names.`, "disclose");
  }
  await deps.rateLimiter.consume("present_credential", accountId, PER_MINUTE);
  const agent = await deps.db.prisma.agent.findUnique({ where: { accountId } });
  if (agent) await refreshCredentials(deps, agent.id);
  const credential = agent && (await findCredential(deps, accountId, kind));
  if (!agent || !credential) {
    throw new NotFoundError(
      "There is no such credential. The agent is not registered yet, is revoked, or reached its daily limit of issued credentials.",
    );
  }
  const disclosed = expandClaimNames(input.disclose, await disclosableNames(credential.sdJwt));
  const presentation = await presentCredential(credential.sdJwt, disclosed, {
    holderKey: await openHolderKey(deps.keks, agent),
    audience,
    nonce,
    iat: Math.floor(Date.now() / 1000),
  });
  return { credential, presentation, disclosed };
}

function requirePresenter(viewer: Viewer | null): AccountViewer {
  const account = requireAccount(viewer);
  const missing = SCOPES.find((scope) => !account.scopes.includes(scope));
  if (missing !== undefined) {
    throw new ForbiddenError(`This token may not present credentials: it lacks the scope ${missing}.`);
  }
  return account;
}

function validateText(field: string, text: string, maxLength: number): void {
  if (text.length === 0 || text.length > maxLength || CONTROL_CHARACTER.test(text)) {
    throw new InvalidRequestError(
      `${field} must have 1 to ${maxLength} characters, none of them a control character.`,
      field,
    );
  }
}

/** Returns the requested names and all names beneath them, in the credential's order. */
function expandClaimNames(requested: readonly string[], available: readonly string[]): string[] {
  const isWithin = (name: string, parent: string) => name === parent || name.startsWith(`${parent}.`);
  for (const [index, name] of requested.entries()) {
    if (available.includes(name)) continue;
    const known = available.join(", ");
    throw new InvalidRequestError(
      `disclose[${index}] is not a claim of the credential. Its claims: ${known}.`,
      `disclose[${index}]`,
    );
  }
  return available.filter((name) => requested.some((parent) => isWithin(name, parent)));
}

/** Returns the account's valid credential of one kind, or null. */
export function findCredential(
  { db }: { readonly db: Database },
  accountId: string,
  kind: CredentialKind,
): Promise<AgentCredential | null> {
  return db.prisma.agentCredential.findFirst({
    where: { agent: { accountId, status: "active" }, kind, revokedAt: null, expiresAt: { gt: new Date() } },
  });
}
