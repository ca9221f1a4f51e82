/** Pending authorization requests, as the consent page shows them. */
import type { OAuthGrant, OAuthRequest } from "../../generated/prisma/client.ts";
import type { SpendingLimits } from "../accounts/api-tokens.ts";
import { type AccountViewer, asSession, type Viewer } from "../accounts/viewer.ts";
import { isStorableText } from "../platform/database/text.ts";
import { type Client, findClient } from "./clients/find-client.ts";
import { canSkipConsent, grantSlot } from "./codes.ts";
import type { OAuthDeps } from "./deps.ts";
import { findLimits, suggestLimits } from "./limits.ts";

export interface OpenRequest {
  readonly row: OAuthRequest;
  readonly client: Client;
}

/** Returns an undecided, unexpired request of an approved application; null otherwise. */
export async function findOpenRequest({ db }: OAuthDeps, requestId: string): Promise<OpenRequest | null> {
  if (!isStorableText(requestId)) return null;
  const row = await db.prisma.oAuthRequest.findFirst({
    where: { id: requestId, decidedAt: null, expiresAt: { gt: new Date() } },
  });
  const client = row && (await findClient(db, row.clientId));
  return row && client?.status === "approved" ? { row, client } : null;
}

/** The additional data for a session that satisfies the request's `authenticateAfter`. */
export interface SignedInView {
  readonly session: AccountViewer;
  /** The account's active grant to this application; null if there is none. */
  readonly previous: OAuthGrant | null;
  /** Whether the user must consent: the active grant does not cover the request, or `prompt` contains `consent`. */
  readonly needsConsent: boolean;
  readonly ownLimits: SpendingLimits;
  readonly suggestedLimits: SpendingLimits;
}

export interface AuthorizationRequest extends OpenRequest {
  /** Null if the user must sign in first. */
  readonly own: SignedInView | null;
}

/** Returns the request with the viewer's data; null if it does not exist, was decided, or has expired. */
export async function findAuthorizationRequest(
  deps: OAuthDeps,
  viewer: Viewer | null,
  requestId: string,
): Promise<AuthorizationRequest | null> {
  const open = await findOpenRequest(deps, requestId);
  if (!open) return null;
  const session = asSession(viewer);
  const isSignedIn = session !== null && isFreshEnough(session, open.row.authenticateAfter);
  return { ...open, own: isSignedIn ? await loadSignedInView(deps, session, open) : null };
}

/** Loads the active grant and the limits of the session's account for a request. */
export async function loadSignedInView(
  { db }: OAuthDeps,
  session: AccountViewer,
  { row, client }: OpenRequest,
): Promise<SignedInView> {
  const slot = grantSlot(session.accountId, row.clientId);
  const [previous, ownLimits] = await Promise.all([
    db.prisma.oAuthGrant.findUnique({ where: { slot } }),
    findLimits(db, session.budgetId),
  ]);
  if (!ownLimits) throw new Error(`Budget ${session.budgetId} not found.`);
  const isCovered = previous !== null && row.scopes.every((scope) => previous.scopes.includes(scope));
  const canSkip = isCovered && (await canSkipConsent(db, client, previous.id, row.redirectUri));
  return {
    session,
    previous,
    needsConsent: !canSkip || (row.prompt ?? "").split(" ").includes("consent"),
    ownLimits,
    suggestedLimits: suggestLimits(ownLimits, previous && (await findLimits(db, previous.id))),
  };
}

/** Returns true if the session authenticated after `authenticateAfter`, or if it is null. */
export function isFreshEnough(session: AccountViewer, authenticateAfter: Date | null): boolean {
  return authenticateAfter === null || (session.authenticatedAtMs ?? 0) >= authenticateAfter.getTime();
}
