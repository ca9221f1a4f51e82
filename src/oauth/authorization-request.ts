/** What waits for a person's decision, as the consent page shows it. */
import type { OAuthGrant, OAuthRequest } from "../../generated/prisma/client.ts";
import type { SpendingLimits } from "../accounts/api-tokens.ts";
import { type AccountViewer, sessionOf, type Viewer } from "../accounts/viewer.ts";
import { isStorableText } from "../platform/database/text.ts";
import { type Client, findClient } from "./clients/find-client.ts";
import { canSkipConsent, grantSlot } from "./codes.ts";
import type { OAuthDeps } from "./deps.ts";
import { limitsOf, suggestLimits } from "./limits.ts";

export interface OpenRequest {
  readonly row: OAuthRequest;
  readonly client: Client;
}

/** A request that nobody has decided yet, of an application that may still ask; null otherwise. */
export async function findOpenRequest({ db }: OAuthDeps, requestId: string): Promise<OpenRequest | null> {
  if (!isStorableText(requestId)) return null;
  const row = await db.prisma.oAuthRequest.findFirst({
    where: { id: requestId, decidedAt: null, expiresAt: { gt: new Date() } },
  });
  const client = row && (await findClient(db, row.clientId));
  return row && client?.status === "approved" ? { row, client } : null;
}

/** What somebody who is signed in, as freshly as was asked, sees besides. */
export interface OwnView {
  readonly session: AccountViewer;
  /** What they allowed this application before; null when nothing stands. */
  readonly previous: OAuthGrant | null;
  /** Whether they must be asked: false when they allowed as much before, and the application did not ask for the question. */
  readonly needsConsent: boolean;
  readonly ownLimits: SpendingLimits;
  readonly suggestedLimits: SpendingLimits;
}

export interface AuthorizationRequest extends OpenRequest {
  /** Null: sign in first. Then nothing of any account is shown. */
  readonly own: OwnView | null;
}

/** @returns null when there is no such request, or it was decided, or has expired. */
export async function findAuthorizationRequest(
  deps: OAuthDeps,
  viewer: Viewer | null,
  requestId: string,
): Promise<AuthorizationRequest | null> {
  const open = await findOpenRequest(deps, requestId);
  if (!open) return null;
  const session = sessionOf(viewer);
  const isIn = session !== null && isFreshEnough(session, open.row.authenticateAfter);
  return { ...open, own: isIn ? await ownView(deps, session, open) : null };
}

/** What stands between this person and the application that asks. */
export async function ownView(
  { db }: OAuthDeps,
  session: AccountViewer,
  { row, client }: OpenRequest,
): Promise<OwnView> {
  const slot = grantSlot(session.accountId, row.clientId);
  const [previous, ownLimits] = await Promise.all([
    db.prisma.oAuthGrant.findUnique({ where: { slot } }),
    limitsOf(db, session.budgetId),
  ]);
  if (!ownLimits) throw new Error(`There is no budget ${session.budgetId}.`);
  const isCovered = previous !== null && row.scopes.every((scope) => previous.scopes.includes(scope));
  const mayGoOn = isCovered && (await canSkipConsent(db, client, previous.id, row.redirectUri));
  return {
    session,
    previous,
    needsConsent: !mayGoOn || (row.prompt ?? "").split(" ").includes("consent"),
    ownLimits,
    suggestedLimits: suggestLimits(ownLimits, previous && (await limitsOf(db, previous.id))),
  };
}

/** Whether the person proved who they are after `authenticateAfter`, where a request asked for that. */
export function isFreshEnough(session: AccountViewer, authenticateAfter: Date | null): boolean {
  return authenticateAfter === null || (session.authenticatedAtMs ?? 0) >= authenticateAfter.getTime();
}
