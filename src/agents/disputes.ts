/** Disputes about agents. Administrators open and close them, and they lower the agent's trust score. */
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
  /** Id of the agent's record, as in the URL of its registration file. */
  readonly agentRecordId: string;
  /** Id of the disputed transaction, or null. */
  readonly transactionId: string | null;
  readonly reason: string;
}

const MAX_REASON_LENGTH = 1_000;

// Updates the agent too: its trust score changes, so its trust credential is due for a refresh.
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

/** Returns whether the caller may decide disputes: an administrator's session or the operator. */
export function isArbiter(viewer: Viewer | null): boolean {
  return viewer?.kind === "operator" || (viewer?.kind === "account" && viewer.isAdministrator);
}

function requireArbiter(viewer: Viewer | null): void {
  if (isArbiter(viewer)) return;
  requireAccount(viewer);
  throw new ForbiddenError("Only administrators open and close disputes.");
}

/** Opens a dispute. @throws {ForbiddenError | InvalidRequestError | NotFoundError} */
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
  if (!agent) throw new NotFoundError("There is no such agent. No dispute was opened.");
  const ofAgent = { id: transactionId ?? "", accountId: agent.accountId };
  if (transactionId !== null && (await db.prisma.transaction.count({ where: ofAgent })) === 0) {
    throw new InvalidRequestError(
      "transactionId is not a transaction of this agent's account. No dispute was opened.",
      "transactionId",
    );
  }
  const id = newId("dsp");
  await db.query(OPEN, [id, agent.id, transactionId, reason]);
  publishAgent(pubsub, agent.accountId, agent.id);
  return await db.prisma.agentDispute.findUniqueOrThrow({ where: { id } });
}

/** Closes an open dispute. A closed dispute retains its outcome. @throws {ForbiddenError | NotFoundError} */
export async function closeDispute(
  { db, pubsub }: DisputeDeps,
  viewer: Viewer | null,
  { disputeId, outcome }: { readonly disputeId: string; readonly outcome: DisputeOutcome },
): Promise<AgentDispute> {
  requireArbiter(viewer);
  const [changed] = await db.query<{ agentId: string; accountId: string }>(CLOSE, [disputeId, outcome]);
  if (changed) publishAgent(pubsub, changed.accountId, changed.agentId);
  const dispute = await db.prisma.agentDispute.findUnique({ where: { id: disputeId } });
  if (!dispute) throw new NotFoundError("There is no such dispute.");
  return dispute;
}
