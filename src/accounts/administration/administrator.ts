/** The administrator who acts: an administrator's session with a recent proof of identity, or the operator. */
import { isStorableText } from "../../platform/database/text.ts";
import { ForbiddenError, InvalidRequestError } from "../../platform/errors.ts";
import { freezeError } from "../freeze/freeze-state.ts";
import { requireRecentProof } from "../recent-proof.ts";
import { requireReviewer } from "../reviewer.ts";
import type { Viewer } from "../viewer.ts";

/** The actor of an administrator's act. */
export interface Administrator {
  /** The administrator's account; null for the operator. */
  readonly accountId: string | null;
}

const MAX_REASON_LENGTH = 1_000;

/**
 * Returns the administrator if the viewer may act on other accounts now. Reading requires `requireReviewer` only.
 * @throws {UnauthorizedError} without a credential
 * @throws {ForbiddenError} if the viewer is neither an administrator's session nor the operator
 * @throws {ReauthenticationRequiredError} if the session's last proof is more than 10 minutes old
 * @throws {AccountFrozenError} if the administrator's account is frozen
 */
export function requireAdministrator(viewer: Viewer | null): Administrator {
  const { reviewerId: accountId } = requireReviewer(viewer);
  if (accountId !== null) {
    const { frozenBy } = requireRecentProof(viewer);
    if (frozenBy !== null && frozenBy !== "service") throw freezeError(frozenBy);
  }
  return { accountId };
}

/**
 * Refuses a decision of an administrator in favour of their own account.
 * @param what the object with its article, such as `an application`
 * @throws {ForbiddenError} if the object belongs to the administrator's account
 */
export function refuseOwn(actor: Administrator, ownerId: string | null, what: string): void {
  if (ownerId === null || actor.accountId !== ownerId) return;
  throw new ForbiddenError(
    `An administrator cannot decide about ${what} of their own account. Nothing was changed. Another administrator must decide.`,
  );
}

/**
 * Returns the trimmed reason of an act.
 * @throws {InvalidRequestError} if it is empty, too long, or text that the database cannot store
 */
export function requireReason(given: string | null | undefined): string {
  const reason = optionalReason(given);
  if (reason === null) throw new InvalidRequestError("reason is required; it is recorded with the act.", "reason");
  return reason;
}

/** As `requireReason`; null if the reason is empty. @throws {InvalidRequestError} */
export function optionalReason(given: string | null | undefined): string | null {
  const reason = given?.trim() ?? "";
  if (reason.length > MAX_REASON_LENGTH || !isStorableText(reason)) {
    throw new InvalidRequestError(`reason must be text of at most ${MAX_REASON_LENGTH} characters.`, "reason");
  }
  return reason === "" ? null : reason;
}
