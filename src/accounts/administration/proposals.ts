/** Proposals of acts that require two administrators. */
import type { AdministratorProposal, Prisma } from "../../../generated/prisma/client.ts";
import type { TwoPersonAct } from "../../platform/config/two-person-acts.ts";
import type { Database } from "../../platform/database/connection.ts";
import { ForbiddenError, NotFoundError, ServiceError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import type { Viewer } from "../viewer.ts";
import { type Administrator, requireAdministrator, requireReason } from "./administrator.ts";
import { type ActState, recordAct } from "./record-act.ts";

/** An act before it is performed. */
export interface RequestedAct {
  readonly actor: Administrator;
  readonly action: TwoPersonAct;
  readonly reason: string | null;
  readonly subjectAccountId: string | null;
  readonly subjectType: string;
  /** Null for acts on the service. */
  readonly subjectId: string | null;
  /** What the use case needs to perform the act again when a second administrator confirms it. Never secrets. */
  readonly input: ActState;
  /** The proposal that this call confirms; null for a first call. */
  readonly proposalId: string | null;
}

/** A proposal expires after this time. */
const LIFETIME_MS = 24 * 3_600_000;

/** The act requires a second administrator. It was proposed, and nothing else was changed. */
export class SecondAdministratorRequiredError extends ServiceError {
  readonly code = "second_administrator_required";
  readonly proposalId: string;
  readonly expiresAt: Date;
  constructor({ id, expiresAt }: AdministratorProposal) {
    super(
      `This act requires two administrators. It was proposed as ${id}, and nothing else was changed. Another administrator must confirm it within 24 hours.`,
    );
    this.proposalId = id;
    this.expiresAt = expiresAt;
  }
}

/** The proposal was decided before or has expired. Nothing was changed. */
export class ProposalNotPendingError extends ServiceError {
  readonly code = "proposal_not_pending";
  constructor() {
    super(
      "The proposal was decided before or has expired. Nothing was changed. Propose the act again if it is needed.",
    );
  }
}

/** Stores a proposal and records it as an act. */
export async function createProposal(db: Database, act: RequestedAct): Promise<AdministratorProposal> {
  const { actor, action, reason, subjectAccountId, subjectType, subjectId, input } = act;
  const subject = { subjectAccountId, subjectType, subjectId };
  return await db.prisma.$transaction(async (tx) => {
    const proposal = await tx.administratorProposal.create({
      data: {
        ...{ id: newId("prp"), action, reason, ...subject, input: input as Prisma.InputJsonObject },
        ...{ proposedById: actor.accountId, expiresAt: new Date(Date.now() + LIFETIME_MS) },
      },
    });
    await recordAct(tx, {
      actor,
      action: "proposals.create",
      reason,
      ...subject,
      after: { action, proposal: proposal.id },
    });
    return proposal;
  });
}

/**
 * Confirms a pending proposal in the transaction of its act. Of concurrent confirmations, one succeeds.
 * @throws {ForbiddenError} if the administrator proposed it
 * @throws {NotFoundError | ProposalNotPendingError}
 */
export async function consumeProposal(
  tx: Prisma.TransactionClient,
  { accountId }: Administrator,
  proposalId: string,
): Promise<void> {
  const confirmed = await tx.$executeRaw`UPDATE administrator_proposals
    SET status = 'confirmed', decided_by_id = ${accountId}::uuid, decided_at = now()
    WHERE id = ${proposalId} AND status = 'pending' AND expires_at > now()
      AND proposed_by_id IS DISTINCT FROM ${accountId}::uuid`;
  if (confirmed === 1) return;
  const proposal = await tx.administratorProposal.findUnique({ where: { id: proposalId } });
  if (!proposal) throw new NotFoundError("There is no such proposal.");
  if (proposal.proposedById === accountId) throw samePersonError();
  throw new ProposalNotPendingError();
}

/**
 * Returns a proposal that the viewer may confirm. The act itself confirms it, in its own transaction.
 * @throws {UnauthorizedError | ForbiddenError | ReauthenticationRequiredError}
 * @throws {NotFoundError | ProposalNotPendingError}
 */
export async function findProposalToConfirm(
  { db }: { readonly db: Database },
  viewer: Viewer | null,
  proposalId: string,
): Promise<AdministratorProposal> {
  const { accountId } = requireAdministrator(viewer);
  const proposal = await db.prisma.administratorProposal.findUnique({ where: { id: proposalId } });
  if (!proposal) throw new NotFoundError("There is no such proposal.");
  if (proposal.proposedById === accountId) throw samePersonError();
  if (proposal.status !== "pending" || proposal.expiresAt.getTime() <= Date.now()) throw new ProposalNotPendingError();
  return proposal;
}

/**
 * Rejects a pending proposal, or withdraws the administrator's own one.
 * @throws {UnauthorizedError | ForbiddenError | ReauthenticationRequiredError}
 * @throws {InvalidRequestError | NotFoundError | ProposalNotPendingError}
 */
export async function rejectProposal(
  { db }: { readonly db: Database },
  viewer: Viewer | null,
  input: { readonly proposalId: string; readonly reason: string },
): Promise<AdministratorProposal> {
  const actor = requireAdministrator(viewer);
  const reason = requireReason(input.reason);
  const { proposalId: id } = input;
  return await db.prisma.$transaction(async (tx) => {
    const [rejected] = await tx.administratorProposal.updateManyAndReturn({
      where: { id, status: "pending", expiresAt: { gt: new Date() } },
      data: { status: "rejected", decidedById: actor.accountId, decidedAt: new Date() },
    });
    if (!rejected) {
      if ((await tx.administratorProposal.count({ where: { id } })) === 0) {
        throw new NotFoundError("There is no such proposal.");
      }
      throw new ProposalNotPendingError();
    }
    const { subjectAccountId, subjectType, subjectId, action } = rejected;
    await recordAct(tx, {
      ...{ actor, action: "proposals.reject", reason, subjectAccountId, proposalId: id, after: { action } },
      ...(subjectType === null ? {} : { subjectType }),
      ...(subjectId === null ? {} : { subjectId }),
    });
    return rejected;
  });
}

const samePersonError = () =>
  new ForbiddenError("The administrator who proposed an act cannot confirm it. Nothing was changed.");
