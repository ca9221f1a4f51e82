/** The account owner's choice whether an agent is registered on chain, which is public and permanent, and what it publishes. */
import type { Prisma } from "../../generated/prisma/client.ts";
import { requireManager, type Viewer } from "../accounts/viewer.ts";
import { publishAgent } from "./agent-events.ts";
import { revokeCredentials } from "./credentials/revoke.ts";
import type { AgentDeps } from "./deps.ts";
import { ensureAgent } from "./ensure-agent.ts";

/** Null leaves a value unchanged. */
export interface AgentChoiceInput {
  readonly wantsAgent: boolean;
  readonly publishesMailbox: boolean | null;
  readonly publishesWallet: boolean | null;
}

type ChoiceDeps = Pick<AgentDeps, "db" | "pubsub" | "keks" | "agents">;

export const WITHDRAWN_REASON = "The account owner disabled the registration.";

/**
 * Stores the choice. If the registration is enabled, the agent is created and registered. If not, a registration that has not begun never
 * begins. A registration on chain remains, but the agent and its credentials are revoked and its file states nothing else.
 * @throws {ForbiddenError} without the scope `account:manage`
 */
export async function chooseAgent(
  deps: ChoiceDeps,
  viewer: Viewer | null,
  input: AgentChoiceInput,
): Promise<{ accountId: string }> {
  const { accountId } = requireManager(viewer);
  const { wantsAgent, publishesMailbox, publishesWallet } = input;
  const changed = await deps.db.prisma.$transaction(async (tx) => {
    await tx.account.update({
      where: { id: accountId },
      data: {
        wantsAgent,
        ...(publishesMailbox === null ? {} : { publishesMailbox }),
        ...(publishesWallet === null ? {} : { publishesWallet }),
      },
    });
    return wantsAgent ? await resume(tx, accountId) : await withdraw(tx, accountId);
  });
  if (changed !== null) publishAgent(deps.pubsub, accountId, changed);
  if (wantsAgent) await ensureAgent(deps, accountId);
  return { accountId };
}

/** Continues the steps of an existing agent: its registration, its entry in the registry, and its credentials if it was withdrawn. */
async function resume(tx: Prisma.TransactionClient, accountId: string): Promise<string | null> {
  const [agent] = await tx.$queryRaw<{ id: string }[]>`
    UPDATE agents SET updated_at = now(),
      next_check_at = now(), check_attempts = check_attempts + 1,
      status = CASE WHEN revoked_reason = ${WITHDRAWN_REASON} THEN CASE WHEN agent_id IS NULL THEN 'pending' ELSE 'active' END
        ELSE status END,
      credentials_due_at = CASE WHEN revoked_reason = ${WITHDRAWN_REASON} THEN now() ELSE credentials_due_at END,
      revoked_at = CASE WHEN revoked_reason = ${WITHDRAWN_REASON} THEN NULL ELSE revoked_at END,
      revoked_reason = nullif(revoked_reason, ${WITHDRAWN_REASON})
    WHERE account_id = ${accountId}::uuid RETURNING id`;
  return agent?.id ?? null;
}

/**
 * Deletes an agent that is not on chain, or revokes it. A new number of checks ends the claim of a node that is about to sign its
 * registration (`treasury-transaction.ts`). A transaction that is already signed may be mined, so it is still followed.
 */
async function withdraw(tx: Prisma.TransactionClient, accountId: string): Promise<string | null> {
  const [agent] = await tx.$queryRaw<{ id: string }[]>`
    UPDATE agents SET check_attempts = check_attempts + 1, updated_at = now()
    WHERE account_id = ${accountId}::uuid RETURNING id`;
  if (!agent) return null;
  const { id } = agent;
  const deleted = await tx.$executeRaw`DELETE FROM agents a WHERE id = ${id} AND agent_id IS NULL
    AND NOT EXISTS (SELECT FROM agent_transactions WHERE agent_id = a.id)
    AND NOT EXISTS (SELECT FROM agent_credentials WHERE agent_id = a.id)
    AND NOT EXISTS (SELECT FROM agent_disputes WHERE agent_id = a.id)`;
  if (deleted > 0) return id;
  await tx.$executeRaw`UPDATE agents a SET
      next_check_at = CASE WHEN agent_id IS NOT NULL
        OR EXISTS (SELECT FROM agent_transactions WHERE agent_id = a.id AND status = 'signed') THEN now() END,
      status = 'revoked', revoked_at = coalesce(revoked_at, now()), revoked_reason = coalesce(revoked_reason, ${WITHDRAWN_REASON})
    WHERE id = ${id}`;
  await revokeCredentials(tx, id);
  return id;
}
