/** Complaints about what an agent did. Administrators open and close them; they count against its trust score. */
import type { AgentDispute } from "../../generated/prisma/client.ts";
import { requireAccount, type Viewer } from "../accounts/viewer.ts";
import type { Statement } from "../platform/database/connection.ts";
import { isStorableText } from "../platform/database/text.ts";
import { ForbiddenError, InvalidRequestError, NotFoundError } from "../platform/errors.ts";
import { newId } from "../platform/ids.ts";
import { publishAgent } from "./agent-events.ts";
import type { AgentDeps } from "./deps.ts";

export const DISPUTE_OUTCOMES = ["upheld", "dismissed"] as const;
export type DisputeOutcome = (typeof DISPUTE_OUTCOMES)[number];

export interface NewDispute {
  /** Of the agent's record, as its registration file's address shows it. */
  readonly agentRecordId: string;
  /** The ledger row it is about; null when it is about none. */
  readonly transactionId: string | null;
  readonly reason: string;
}

const MAX_REASON_LENGTH = 1_000;

// The agent moves with it: its score is another one, and so will be the credential that says it.
const OPEN: Statement = {
  name: "open-agent-dispute",
  text: `WITH moved AS (
      UPDATE agents SET updated_at = now(), credentials_due_at = now() WHERE id = $2 RETURNING id, account_id
    ), opened AS (
      INSERT INTO agent_disputes (id, agent_id, transaction_id, reason, status)
      SELECT $1, moved.id, $3, $4, 'open' FROM moved RETURNING id
    )
    SELECT account_id AS "accountId" FROM moved`,
};

const CLOSE: Statement = {
  name: "close-agent-dispute",
  text: `WITH closed AS (
      UPDATE agent_disputes SET status = $2, closed_at = now() WHERE id = $1 AND status = 'open' RETURNING agent_id
    )
    UPDATE agents SET updated_at = now(), credentials_due_at = now() FROM closed WHERE agents.id = closed.agent_id
    RETURNING agents.id AS "agentId", agents.account_id AS "accountId"`,
};

type DisputeDeps = Pick<AgentDeps, "db" | "pubsub">;

/** Whether this caller decides about disputes: an administrator's session, or the operator. */
export function isArbiter(viewer: Viewer | null): boolean {
  return viewer?.kind === "operator" || (viewer?.kind === "account" && viewer.isAdministrator);
}

function requireArbiter(viewer: Viewer | null): void {
  if (isArbiter(viewer)) return;
  requireAccount(viewer);
  throw new ForbiddenError("Only administrators open and close disputes.");
}

/** @throws {ForbiddenError | InvalidRequestError | NotFoundError} */
export async function openDispute(
  { db, pubsub }: DisputeDeps,
  viewer: Viewer | null,
  { agentRecordId, transactionId, reason: given }: NewDispute,
): Promise<AgentDispute> {
  requireArbiter(viewer);
  const reason = given.trim();
  if (reason === "" || reason.length > MAX_REASON_LENGTH || !isStorableText(reason)) {
    throw new InvalidRequestError(`reason must be text of 1 to ${MAX_REASON_LENGTH} characters.`, "reason");
  }
  const agent = await db.prisma.agent.findUnique({ where: { id: agentRecordId } });
  if (!agent) throw new NotFoundError("There is no such agent.");
  const ofAgent = { id: transactionId ?? "", accountId: agent.accountId };
  if (transactionId !== null && (await db.prisma.transaction.count({ where: ofAgent })) === 0) {
    throw new InvalidRequestError("transactionId names no transaction of this agent's account.", "transactionId");
  }
  const id = newId("dsp");
  await db.query(OPEN, [id, agent.id, transactionId, reason]);
  publishAgent(pubsub, agent.accountId, agent.id);
  return await db.prisma.agentDispute.findUniqueOrThrow({ where: { id } });
}

/** Closes an open dispute; one that is closed keeps the outcome it has. @throws {ForbiddenError | NotFoundError} */
export async function closeDispute(
  { db, pubsub }: DisputeDeps,
  viewer: Viewer | null,
  { disputeId, outcome }: { readonly disputeId: string; readonly outcome: DisputeOutcome },
): Promise<AgentDispute> {
  requireArbiter(viewer);
  const [moved] = await db.query<{ agentId: string; accountId: string }>(CLOSE, [disputeId, outcome]);
  if (moved) publishAgent(pubsub, moved.accountId, moved.agentId);
  const dispute = await db.prisma.agentDispute.findUnique({ where: { id: disputeId } });
  if (!dispute) throw new NotFoundError("There is no such dispute.");
  return dispute;
}
