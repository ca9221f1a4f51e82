/** Shows one of the agent's credentials to somebody: the claims named, and a proof made with the agent's own key. */
import type { AgentCredential } from "../../../generated/prisma/client.ts";
import { type AccountViewer, requireAccount, type Scope, type Viewer } from "../../accounts/viewer.ts";
import type { Database } from "../../platform/database/connection.ts";
import { ForbiddenError, InvalidRequestError, NotFoundError } from "../../platform/errors.ts";
import { openHolderKey } from "../holder-key.ts";
import type { CredentialDeps } from "./deps.ts";
import type { CredentialKind } from "./kinds.ts";
import { refreshCredentials } from "./refresh.ts";
import { disclosableNames, presentCredential } from "./sd-jwt.ts";

/** Presenting is acting as the agent: reading its credentials is not enough, and neither is being left unenforced. */
const SCOPES: readonly Scope[] = ["agent:read", "payments:sign"];
const PER_MINUTE = 60;
const MAX_AUDIENCE_LENGTH = 2_048;
const MAX_NONCE_LENGTH = 512;
const MAX_NAMES = 100;
/** Control characters, which no audience and no nonce has. */
const CONTROL = /\p{Cc}/u;

export interface PresentInput {
  readonly kind: CredentialKind;
  /** Whom it is for, as they call themselves: usually their origin. */
  readonly audience: string;
  /** What they gave, so that nobody can show it twice. */
  readonly nonce: string;
  /** Names of claims, `limits` or `limits.daily_usd`; a name shows all beneath it. */
  readonly disclose: readonly string[];
}

export interface Presentation {
  readonly credential: AgentCredential;
  /** An SD-JWT with key binding (SD-JWT+KB). */
  readonly presentation: string;
  /** Every claim it shows beside those that are always seen. */
  readonly disclosed: readonly string[];
}

/**
 * Presents a credential that is up to date: one that no longer says what is so is replaced first.
 * @throws {UnauthorizedError | ForbiddenError} unless the credential called with may act as the agent
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
  checkText("audience", audience, MAX_AUDIENCE_LENGTH);
  checkText("nonce", nonce, MAX_NONCE_LENGTH);
  if (input.disclose.length > MAX_NAMES) {
    throw new InvalidRequestError(`disclose has at most ${MAX_NAMES} names.`, "disclose");
  }
  await deps.rateLimiter.consume("present_credential", accountId, PER_MINUTE);
  const agent = await deps.db.prisma.agent.findUnique({ where: { accountId } });
  if (agent) await refreshCredentials(deps, agent.id);
  const credential = agent && (await findCredential(deps, accountId, kind));
  if (!agent || !credential) {
    throw new NotFoundError(
      "There is no such credential: the agent is not registered yet, is revoked, or its credential changed too often today.",
    );
  }
  const disclosed = readNames(input.disclose, await disclosableNames(credential.sdJwt));
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

function checkText(field: string, text: string, maxLength: number): void {
  if (text.length === 0 || text.length > maxLength || CONTROL.test(text)) {
    throw new InvalidRequestError(
      `${field} must have 1 to ${maxLength} characters, none of them a control character.`,
      field,
    );
  }
}

/** The names asked for and all beneath them, in the credential's own order. */
function readNames(asked: readonly string[], available: readonly string[]): string[] {
  const isOf = (name: string, parent: string) => name === parent || name.startsWith(`${parent}.`);
  for (const [index, name] of asked.entries()) {
    if (available.includes(name)) continue;
    const known = available.join(", ");
    throw new InvalidRequestError(
      `disclose[${index}] is not a claim of it. Its claims: ${known}.`,
      `disclose[${index}]`,
    );
  }
  return available.filter((name) => asked.some((parent) => isOf(name, parent)));
}

/** The account's credential of that kind that is good now; null when there is none. */
export function findCredential(
  { db }: { readonly db: Database },
  accountId: string,
  kind: CredentialKind,
): Promise<AgentCredential | null> {
  return db.prisma.agentCredential.findFirst({
    where: { agent: { accountId, status: "active" }, kind, revokedAt: null, expiresAt: { gt: new Date() } },
  });
}
