/** Deciding about an application (spec section 3.2). */
import type { OAuthClient } from "../../../generated/prisma/client.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { retryDeadlocks } from "../../platform/database/retry-deadlocks.ts";
import { isStorableText } from "../../platform/database/text.ts";
import { InvalidRequestError, NotFoundError, ServiceError } from "../../platform/errors.ts";
import { type NotifyDeps, sendReviewLettersNow } from "./notify.ts";
import { requireReviewer } from "./reviewer.ts";
import { asStatus, type Decision, transitionOf } from "./status.ts";
import { PATIENTLY, transitionClient } from "./transition-client.ts";

export interface Review {
  readonly clientId: string;
  readonly decision: Decision;
  /** Shown to the owner, and sent to the contact addresses. */
  readonly reason: string | null;
  /** The `updatedAt` the reviewer saw: what was changed since is not decided about. */
  readonly ifUpdatedAt: Date | null;
}

/** The application was edited after the reviewer looked at it. Nothing was decided. */
export class ClientChangedError extends ServiceError {
  readonly code = "client_changed";
  constructor() {
    super("The application was changed since you looked at it, so nothing was decided. Look at it again.");
  }
}

const MAX_REASON_LENGTH = 1_000;

/**
 * Approves, rejects or revokes an application, and writes to its contacts. Revoking ends its codes, tokens and grants
 * in the same transaction.
 * @throws {ForbiddenError} for anyone but a reviewer
 * @throws {InvalidTransitionError} when its status does not lead there: of many who decide at once, one does
 * @throws {ClientChangedError} when it was edited after `ifUpdatedAt`
 * @throws {InvalidRequestError} when a rejection or a revocation has no reason
 */
export async function reviewClient(deps: NotifyDeps, viewer: Viewer | null, review: Review): Promise<OAuthClient> {
  const { reviewerId } = requireReviewer(viewer);
  const { prisma } = deps.db;
  // The command line client belongs to no account and is not reviewed.
  const where = { id: review.clientId, accountId: { not: null } };
  for (;;) {
    const client = await prisma.oAuthClient.findUnique({ where });
    if (!client) throw new NotFoundError("There is no such application.");
    const transition = transitionOf(asStatus(client.status), review.decision);
    const reason = checkReason(review.reason, transition.reason === "required");
    const { ifUpdatedAt } = review;
    if (ifUpdatedAt && ifUpdatedAt.getTime() !== client.updatedAt.getTime()) throw new ClientChangedError();
    const move = { transition, reason, reviewerId };
    // Whoever was faster changed what this was decided about: it is looked at again.
    if (!(await retryDeadlocks(() => prisma.$transaction((tx) => transitionClient(tx, client, move), PATIENTLY))))
      continue;
    await sendReviewLettersNow(deps);
    return await prisma.oAuthClient.findUniqueOrThrow({ where });
  }
}

function checkReason(given: string | null, isRequired: boolean): string | null {
  const reason = given?.trim() ?? "";
  if (reason === "" && isRequired) {
    throw new InvalidRequestError("reason must say why: the owner reads it.", "reason");
  }
  if (reason.length > MAX_REASON_LENGTH || !isStorableText(reason)) {
    throw new InvalidRequestError(`reason must be text of at most ${MAX_REASON_LENGTH} characters.`, "reason");
  }
  return reason === "" ? null : reason;
}
