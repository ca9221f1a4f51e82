/** Review of an application (spec section 3.2). */
import type { OAuthClient } from "../../../generated/prisma/client.ts";
import { requireReviewer } from "../../accounts/reviewer.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { retryDeadlocks } from "../../platform/database/retry-deadlocks.ts";
import { isStorableText } from "../../platform/database/text.ts";
import { InvalidRequestError, NotFoundError, ServiceError } from "../../platform/errors.ts";
import { type NotifyDeps, sendReviewEmailsNow } from "./notify.ts";
import { type Decision, findTransition, parseStatus } from "./status.ts";
import { LOCK_TIMEOUTS, transitionClient } from "./transition-client.ts";

export interface Review {
  readonly clientId: string;
  readonly decision: Decision;
  /** Shown to the owner and sent to the contact addresses. */
  readonly reason: string | null;
  /**
   * The `updatedAt` that the reviewer saw. The review fails if the application was changed since; null skips the check.
   */
  readonly ifUpdatedAt: Date | null;
}

/** The application was edited after the reviewer read it. No decision was recorded. */
export class ClientChangedError extends ServiceError {
  readonly code = "client_changed";
  constructor() {
    super("The application was changed since you read it. No decision was recorded. Reload it, then decide.");
  }
}

const MAX_REASON_LENGTH = 1_000;

/**
 * Approves, rejects or revokes an application and queues email to its contacts. A revocation also revokes its codes,
 * tokens and grants, in the same transaction.
 * @throws {ForbiddenError} if the viewer is not a reviewer
 * @throws {InvalidTransitionError} if its status does not allow the decision; of concurrent decisions, one succeeds
 * @throws {ClientChangedError} if it was edited after `ifUpdatedAt`
 * @throws {InvalidRequestError} if a rejection or revocation has no reason
 */
export async function reviewClient(deps: NotifyDeps, viewer: Viewer | null, review: Review): Promise<OAuthClient> {
  const { reviewerId } = requireReviewer(viewer);
  const { prisma } = deps.db;
  // The command line client belongs to no account and is not reviewed.
  const where = { id: review.clientId, accountId: { not: null } };
  for (;;) {
    const client = await prisma.oAuthClient.findUnique({ where });
    if (!client) throw new NotFoundError("Application not found.");
    const transition = findTransition(parseStatus(client.status), review.decision);
    const reason = checkReason(review.reason, transition.reason === "required");
    const { ifUpdatedAt } = review;
    if (ifUpdatedAt && ifUpdatedAt.getTime() !== client.updatedAt.getTime()) throw new ClientChangedError();
    const move = { transition, reason, reviewerId };
    const apply = () => prisma.$transaction((tx) => transitionClient(tx, client, move), LOCK_TIMEOUTS);
    // False if another transaction changed the application: read it and check the decision again.
    if (!(await retryDeadlocks(apply))) continue;
    await sendReviewEmailsNow(deps);
    return await prisma.oAuthClient.findUniqueOrThrow({ where });
  }
}

function checkReason(given: string | null, isRequired: boolean): string | null {
  const reason = given?.trim() ?? "";
  if (reason === "" && isRequired) {
    throw new InvalidRequestError("reason is required; the application's owner reads it.", "reason");
  }
  if (reason.length > MAX_REASON_LENGTH || !isStorableText(reason)) {
    throw new InvalidRequestError(`reason must be text of at most ${MAX_REASON_LENGTH} characters.`, "reason");
  }
  return reason === "" ? null : reason;
}
