/**
 * Who decides what is pending in an account, and until when. Shared by everything that waits for a decision: approvals of
 * purchases and questions of orders.
 */
import { requireSession } from "../recent-proof.ts";
import { type AccountViewer, requireAccount, requireScope, type Viewer } from "../viewer.ts";

/** `owner`: only the account owner, in a browser session. `requester`: also the caller that placed the request. */
export type Decider = "owner" | "requester";

/**
 * Returns the viewer if its credential may decide. The caller checks that the row belongs to the account, and to the viewer's
 * `requesterIdOf` where a requester decides.
 * @throws {UnauthorizedError | ForbiddenError}
 */
export function requireDecider(viewer: Viewer | null, decider: Decider): AccountViewer {
  if (decider === "owner") return requireSession(viewer);
  const account = requireAccount(viewer);
  if (account.credentialKind !== "session") requireScope(account, "orders:write");
  return account;
}

/**
 * Returns the filter for rows that can still be decided. Use it as the condition of the update that decides, so that of
 * concurrent decisions one counts, and none after the deadline.
 */
export function undecidedWhere(status: string, now = new Date()) {
  return { status, expiresAt: { gt: now } } as const;
}

/** Returns whether a row can still be decided. */
export function isUndecided(
  row: { readonly status: string; readonly expiresAt: Date },
  status: string,
  now = new Date(),
): boolean {
  return row.status === status && row.expiresAt.getTime() > now.getTime();
}
