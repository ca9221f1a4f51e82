/** Pending authorization requests, as the consent page shows them. */
import type { OAuthGrant, OAuthRequest } from "../../generated/prisma/client.ts";
import type { SpendingLimits } from "../accounts/spending-limits.ts";
import { type AccountViewer, asSession, type Viewer } from "../accounts/viewer.ts";
import { isStorableText } from "../platform/database/text.ts";
import { isAccepted } from "./clients/client-documents.ts";
import { type Client, findClient } from "./clients/find-client.ts";
import { findRemaining, grantSlot } from "./codes.ts";
import type { OAuthDeps } from "./deps.ts";
import { findLimits, suggestLimits } from "./limits.ts";
import { isRegisteredRedirect } from "./redirect-uri.ts";

export interface OpenRequest {
  readonly row: OAuthRequest;
  readonly client: Client;
}

/** Returns an undecided, unexpired request of an approved application; null otherwise. */
export async function findOpenRequest(deps: OAuthDeps, requestId: string): Promise<OpenRequest | null> {
  const { db } = deps;
  if (!isStorableText(requestId)) return null;
  const row = await db.prisma.oAuthRequest.findFirst({
    where: { id: requestId, decidedAt: null, expiresAt: { gt: new Date() } },
  });
  const client = row && (await findClient(db, row.clientId));
  if (!row || client?.status !== "approved" || !isAccepted(deps, client)) return null;
  // The client may have removed the redirect URI since.
  return row.redirectUri === null || isRegisteredRedirect(client, row.redirectUri) ? { row, client } : null;
}

/** The additional data for a session that satisfies the request's `authenticateAfter`. */
export interface SignedInView {
  readonly session: AccountViewer;
  /** The account's active grant to this application; null if there is none. */
  readonly previous: OAuthGrant | null;
  /** Whether the user must consent: the active grant does not cover the request, or `prompt` contains `consent`. */
  readonly needsConsent: boolean;
  /** Whether the user must confirm that a code is sent, although no consent is needed. */
  readonly needsConfirmation: boolean;
  readonly ownLimits: SpendingLimits;
  readonly suggestedLimits: SpendingLimits;
}

export interface AuthorizationRequest extends OpenRequest {
  /** Whether the scopes of the grant are or will be enforced. */
  readonly strictScopes: boolean;
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
  const own = isSignedIn ? await loadSignedInView(deps, session, open) : null;
  const strictScopes = open.client.strictScopes || own?.previous?.strictScopes || own?.session.strictScopes || false;
  return { ...open, strictScopes, own };
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
  // The user always compares the code of a device.
  const mustConsent = !isCovered || (row.prompt ?? "").split(" ").includes("consent");
  const remaining =
    mustConsent || row.redirectUri === null ? "consent" : await findRemaining(db, client, previous.id, row.redirectUri);
  return {
    session,
    previous,
    needsConsent: remaining === "consent",
    needsConfirmation: remaining === "confirmation",
    ownLimits,
    suggestedLimits: suggestLimits(ownLimits, previous && (await findLimits(db, previous.id)), client),
  };
}

/** Returns true if the session authenticated after `authenticateAfter`, or if it is null. */
export function isFreshEnough(session: AccountViewer, authenticateAfter: Date | null): boolean {
  return authenticateAfter === null || (session.authenticatedAtMs ?? 0) >= authenticateAfter.getTime();
}
