/** Review of an application (spec section 3.2). */
import type { OAuthClient } from "../../../generated/prisma/client.ts";
import { optionalReason, refuseOwn, requireAdministrator } from "../../accounts/administration/administrator.ts";
import { type AdministrationDeps, performAct } from "../../accounts/administration/perform-act.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { retryDeadlocks } from "../../platform/database/retry-deadlocks.ts";
import { InvalidRequestError, NotFoundError, ServiceError } from "../../platform/errors.ts";
import { type NotifyDeps, sendReviewEmailsNow } from "./notify.ts";
import { type Decision, findTransition, parseStatus } from "./status.ts";
import { transitionClient } from "./transition-client.ts";

export interface Review {
  readonly clientId: string;
  readonly decision: Decision;
  /** Shown to the owner and sent to the contact addresses. */
  readonly reason: string | null;
  /**
   * The `updatedAt` that the reviewer saw. The review fails if the application was changed since; null skips the check.
   */
  readonly ifUpdatedAt: Date | null;
  /** The proposal that this review confirms, if two administrators are required. */
  readonly proposalId?: string | null;
}

/** The application was edited after the reviewer read it. No decision was recorded. */
export class ClientChangedError extends ServiceError {
  readonly code = "client_changed";
  constructor() {
    super("The application was changed since you read it. No decision was recorded. Reload it, then decide.");
  }
}

/** Another transaction changed the application since it was read. Rolls back the act. */
class ClientMovedError extends Error {}

/**
 * Approves, rejects or revokes an application and queues email to its contacts. A revocation also revokes its codes,
 * tokens and grants, in the same transaction.
 * @throws {ForbiddenError} if the viewer is not an administrator, or approves an application of their own account
 * @throws {ReauthenticationRequiredError} if the session's last proof is more than 10 minutes old
 * @throws {SecondAdministratorRequiredError} if the decision requires two administrators; it was proposed
 * @throws {InvalidTransitionError} if its status does not allow the decision; of concurrent decisions, one succeeds
 * @throws {ClientChangedError} if it was edited after `ifUpdatedAt`
 * @throws {InvalidRequestError} if a rejection or revocation has no reason
 */
export async function reviewClient(
  deps: NotifyDeps & AdministrationDeps,
  viewer: Viewer | null,
  review: Review,
): Promise<OAuthClient> {
  const actor = requireAdministrator(viewer);
  const { prisma } = deps.db;
  const { decision, ifUpdatedAt, proposalId = null } = review;
  // The command line client belongs to this service and is not reviewed.
  const where = { id: review.clientId, kind: { not: "command_line" } };
  for (;;) {
    const client = await prisma.oAuthClient.findUnique({ where });
    if (!client) throw new NotFoundError("Application not found.");
    const { accountId } = client;
    if (decision === "approve") refuseOwn(actor, accountId, "an application");
    const transition = findTransition(parseStatus(client.status), decision);
    const reason = checkReason(review.reason, transition.reason === "required");
    if (ifUpdatedAt && ifUpdatedAt.getTime() !== client.updatedAt.getTime()) throw new ClientChangedError();
    const act = {
      ...{ actor, action: `oauth_clients.${decision}` as const, reason, proposalId },
      ...{ subjectAccountId: accountId, subjectType: "oauth_client", subjectId: client.id },
      // The second administrator confirms what the first one read.
      input: { clientId: client.id, decision, ifUpdatedAt: client.updatedAt.toISOString() },
    };
    const move = { transition, reason, reviewerId: actor.accountId };
    const apply = () =>
      performAct(deps, act, async (tx) => {
        if (!(await transitionClient(tx, client, move))) throw new ClientMovedError();
        return { result: true, before: { status: transition.from }, after: { status: transition.to } };
      });
    try {
      await retryDeadlocks(apply);
    } catch (error) {
      // Read the application and check the decision again.
      if (error instanceof ClientMovedError) continue;
      throw error;
    }
    await sendReviewEmailsNow(deps);
    return await prisma.oAuthClient.findUniqueOrThrow({ where });
  }
}

function checkReason(given: string | null, isRequired: boolean): string | null {
  const reason = optionalReason(given);
  if (reason === null && isRequired) {
    throw new InvalidRequestError("reason is required; the application's owner reads it.", "reason");
  }
  return reason;
}
