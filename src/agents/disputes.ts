/** Disputes about agents. Administrators open and close them, and they lower the agent's trust score. */
import type { AgentDispute, Prisma } from "../../generated/prisma/client.ts";
import {
  type Administrator,
  optionalReason,
  refuseOwn,
  requireAdministrator,
} from "../accounts/administration/administrator.ts";
import { recordAct } from "../accounts/administration/record-act.ts";
import { isReviewer } from "../accounts/reviewer.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { isStorableText } from "../platform/database/text.ts";
import { InvalidRequestError, NotFoundError } from "../platform/errors.ts";
import { newId } from "../platform/ids.ts";
import { publishAgent } from "./agent-events.ts";
import type { AgentDeps } from "./deps.ts";

export const DISPUTE_OUTCOMES = ["upheld", "dismissed"] as const;
export type DisputeOutcome = (typeof DISPUTE_OUTCOMES)[number];

export interface NewDispute {
  /** Id of the agent's record, as in the URL of its registration file. */
  readonly agentRecordId: string;
  /** Id of the disputed transaction, or null. */
  readonly transactionId: string | null;
  readonly reason: string;
}

const MAX_REASON_LENGTH = 1_000;

type DisputeDeps = Pick<AgentDeps, "db" | "pubsub">;

/** Returns whether the caller may decide disputes: an administrator's session or the operator. */
export const isArbiter = isReviewer;

/** The actor as stored with a dispute. */
const nameActor = ({ accountId }: Administrator) => accountId ?? "operator";

/** Marks the agent as changed: its trust score changes, so its trust credential is due for a refresh. */
const refreshAgent = (tx: Prisma.TransactionClient, id: string) =>
  tx.agent.update({ where: { id }, data: { updatedAt: new Date(), credentialsDueAt: new Date() } });

/**
 * Opens a dispute.
 * @throws {ForbiddenError | ReauthenticationRequiredError} if the viewer may not act as an administrator now
 * @throws {InvalidRequestError | NotFoundError}
 */
export async function openDispute(
  { db, pubsub }: DisputeDeps,
  viewer: Viewer | null,
  { agentRecordId, transactionId, reason: given }: NewDispute,
): Promise<AgentDispute> {
  const actor = requireAdministrator(viewer);
  const reason = given.trim();
  if (reason === "" || reason.length > MAX_REASON_LENGTH || !isStorableText(reason)) {
    throw new InvalidRequestError(`reason must be text of 1 to ${MAX_REASON_LENGTH} characters.`, "reason");
  }
  const agent = await db.prisma.agent.findUnique({ where: { id: agentRecordId } });
  if (!agent) throw new NotFoundError("There is no such agent. No dispute was opened.");
  const ofAgent = { id: transactionId ?? "", accountId: agent.accountId };
  if (transactionId !== null && (await db.prisma.transaction.count({ where: ofAgent })) === 0) {
    throw new InvalidRequestError(
      "transactionId is not a transaction of this agent's account. No dispute was opened.",
      "transactionId",
    );
  }
  const id = newId("dsp");
  const dispute = await db.prisma.$transaction(async (tx) => {
    await refreshAgent(tx, agent.id);
    const openedBy = nameActor(actor);
    const opened = await tx.agentDispute.create({
      data: { id, agentId: agent.id, transactionId, reason, status: "open", openedBy },
    });
    await recordAct(tx, {
      ...{ actor, action: "disputes.open", reason, subjectAccountId: agent.accountId },
      ...{ subjectType: "agent_dispute", subjectId: id, after: { status: "open", transactionId } },
    });
    return opened;
  });
  publishAgent(pubsub, agent.accountId, agent.id);
  return dispute;
}

/**
 * Closes an open dispute. A closed dispute retains its outcome.
 * @throws {ForbiddenError} if the viewer is not an administrator, or the agent is that of their own account
 * @throws {ReauthenticationRequiredError} if the session's last proof is more than 10 minutes old
 * @throws {InvalidRequestError | NotFoundError}
 */
export async function closeDispute(
  { db, pubsub }: DisputeDeps,
  viewer: Viewer | null,
  input: { readonly disputeId: string; readonly outcome: DisputeOutcome; readonly reason?: string | null | undefined },
): Promise<AgentDispute> {
  const actor = requireAdministrator(viewer);
  const { disputeId: id, outcome } = input;
  const reason = optionalReason(input.reason);
  const agent = await db.prisma.agent.findFirst({ where: { disputes: { some: { id } } } });
  if (!agent) throw new NotFoundError("There is no such dispute.");
  refuseOwn(actor, agent.accountId, "a dispute");
  const isClosed = await db.prisma.$transaction(async (tx) => {
    const { count } = await tx.agentDispute.updateMany({
      where: { id, status: "open" },
      data: { status: outcome, closedAt: new Date(), closedBy: nameActor(actor) },
    });
    if (count === 0) return false;
    await refreshAgent(tx, agent.id);
    await recordAct(tx, {
      ...{ actor, action: "disputes.close", reason, subjectAccountId: agent.accountId },
      ...{ subjectType: "agent_dispute", subjectId: id, before: { status: "open" }, after: { status: outcome } },
    });
    return true;
  });
  if (isClosed) publishAgent(pubsub, agent.accountId, agent.id);
  return await db.prisma.agentDispute.findUniqueOrThrow({ where: { id } });
}
