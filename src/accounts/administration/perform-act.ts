/** Acts of administrators in one transaction with their record, by one person or, where a setting says so, by two. */
import type { Prisma } from "../../../generated/prisma/client.ts";
import type { TwoPersonAct } from "../../platform/config/two-person-acts.ts";
import type { Database } from "../../platform/database/connection.ts";
import { consumeProposal, createProposal, type RequestedAct, SecondAdministratorRequiredError } from "./proposals.ts";
import { type ActState, recordAct } from "./record-act.ts";

export interface AdministrationDeps {
  readonly db: Database;
  readonly administration: {
    /** Acts that one administrator proposes and another confirms. */
    readonly twoPersonActs: readonly TwoPersonAct[];
    readonly recoveryWaitingMs: number;
  };
}

/** The result of the work and the changed values. */
export interface PerformedAct<Result> {
  readonly result: Result;
  readonly before?: ActState;
  readonly after?: ActState;
}

/** Many concurrent acts may wait for each other's locks. */
const TIMEOUTS = { maxWait: 10_000, timeout: 20_000 };

/**
 * Performs an act and records it in the same transaction. If the act requires two administrators, the first call stores a
 * proposal instead. The call that confirms it consumes the proposal in the same transaction.
 * @throws {SecondAdministratorRequiredError} after the proposal was stored; nothing else was changed
 * @throws {ProposalNotPendingError | ForbiddenError} if the proposal cannot be confirmed, or not by this administrator
 */
export async function performAct<Result>(
  { db, administration }: AdministrationDeps,
  act: RequestedAct,
  work: (tx: Prisma.TransactionClient) => Promise<PerformedAct<Result>>,
): Promise<Result> {
  const { actor, action, reason, subjectAccountId, subjectType, subjectId, proposalId } = act;
  if (administration.twoPersonActs.includes(action) && proposalId === null) {
    throw new SecondAdministratorRequiredError(await createProposal(db, act));
  }
  return await db.prisma.$transaction(async (tx) => {
    if (proposalId !== null) await consumeProposal(tx, actor, proposalId);
    const { result, before, after } = await work(tx);
    await recordAct(tx, {
      ...{ actor, action, reason, subjectAccountId, subjectType, subjectId, proposalId },
      ...(before ? { before } : {}),
      ...(after ? { after } : {}),
    });
    return result;
  }, TIMEOUTS);
}
