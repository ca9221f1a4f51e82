/** Freeze of the whole service by an administrator or the operator, and its end. */
import type { ServiceFreeze } from "../../../generated/prisma/client.ts";
import type { Database } from "../../platform/database/connection.ts";
import { requireAdministrator, requireReason } from "../administration/administrator.ts";
import { type AdministrationDeps, performAct } from "../administration/perform-act.ts";
import { ProposalNotPendingError } from "../administration/proposals.ts";
import { recordAct } from "../administration/record-act.ts";
import { requireReviewer } from "../reviewer.ts";
import type { Viewer } from "../viewer.ts";
import { awaitEarlierStatements } from "./running-statements.ts";

interface ServiceFreezeDeps {
  readonly db: Database;
}

const TIMEOUTS = { maxWait: 10_000, timeout: 20_000 };

/**
 * Freezes the service on all nodes. It is in force for every new statement once committed. Resolves when the statements that began
 * before have ended too, so nothing is reserved afterwards. Idempotent.
 * @throws {UnauthorizedError | ForbiddenError | ReauthenticationRequiredError | InvalidRequestError}
 */
export async function freezeService(
  { db }: ServiceFreezeDeps,
  viewer: Viewer | null,
  input: { readonly reason: string },
): Promise<ServiceFreeze> {
  const actor = requireAdministrator(viewer);
  const reason = requireReason(input.reason);
  const freeze = await db.prisma.$transaction(async (tx) => {
    const { count } = await tx.serviceFreeze.createMany({ data: [{ reason }], skipDuplicates: true });
    if (count > 0) {
      const change = { before: { isFrozen: false }, after: { isFrozen: true } };
      await recordAct(tx, { actor, action: "service.freeze", reason, subjectType: "service", ...change });
    }
    return await tx.serviceFreeze.findFirstOrThrow();
  }, TIMEOUTS);
  await awaitEarlierStatements(db);
  return freeze;
}

/**
 * Ends the freeze of the service. Idempotent. Returns whether it was frozen.
 * @throws {UnauthorizedError | ForbiddenError | ReauthenticationRequiredError | InvalidRequestError}
 * @throws {SecondAdministratorRequiredError} if TWO_PERSON_ACTS names `service.unfreeze`
 * @throws {ProposalNotPendingError} also if the proposal is about an earlier freeze
 */
export async function unfreezeService(
  deps: AdministrationDeps,
  viewer: Viewer | null,
  input: {
    readonly reason: string;
    readonly proposalId?: string | null;
    /** With `proposalId`: when the freeze started that the proposal is about. A later one remains. */
    readonly ifFrozenAt?: Date | null;
  },
): Promise<boolean> {
  const actor = requireAdministrator(viewer);
  const reason = requireReason(input.reason);
  const { proposalId = null, ifFrozenAt = null } = input;
  const found = await deps.db.prisma.serviceFreeze.findFirst();
  if (proposalId === null && found === null) return false;
  const stored = { ifFrozenAt: found?.frozenAt.toISOString() ?? null };
  const act = {
    ...{ actor, action: "service.unfreeze" as const, reason, proposalId, input: stored },
    ...{ subjectAccountId: null, subjectType: "service", subjectId: null },
  };
  return await performAct(deps, act, async (tx) => {
    const { count } = await tx.serviceFreeze.deleteMany({
      where: proposalId === null ? {} : { frozenAt: ifFrozenAt ?? new Date(0) },
    });
    if (proposalId !== null && count === 0) throw new ProposalNotPendingError();
    return { result: count > 0, before: { isFrozen: count > 0 }, after: { isFrozen: false } };
  });
}

/** Returns the freeze of the service; null if it is not frozen. @throws {UnauthorizedError | ForbiddenError} */
export async function findServiceFreeze(
  { db }: ServiceFreezeDeps,
  viewer: Viewer | null,
): Promise<ServiceFreeze | null> {
  requireReviewer(viewer);
  return await db.prisma.serviceFreeze.findFirst();
}
