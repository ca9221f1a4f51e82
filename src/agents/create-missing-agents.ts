/** The safety net: whoever has a credential and, through a crash or from before there were agents, no agent. */
import type { Statement } from "../platform/database/connection.ts";
import type { AgentDeps } from "./deps.ts";
import { ensureAgent } from "./ensure-agent.ts";

const BATCH_SIZE = 100;

const WITHOUT: Statement = {
  name: "accounts-without-agent",
  text: `SELECT a.id FROM accounts a
    WHERE NOT EXISTS (SELECT FROM agents WHERE account_id = a.id)
      AND (EXISTS (SELECT FROM api_tokens WHERE account_id = a.id)
        OR EXISTS (SELECT FROM oauth_grants g JOIN oauth_tokens t ON t.grant_id = g.id WHERE g.account_id = a.id))
    LIMIT ${BATCH_SIZE}`,
};

/** Gives an agent to every account that should have one. */
export async function createMissingAgents(deps: Pick<AgentDeps, "db" | "pubsub" | "keks" | "agents">): Promise<void> {
  for (;;) {
    const accounts = await deps.db.query<{ id: string }>(WITHOUT, []);
    for (const { id } of accounts) await ensureAgent(deps, id);
    if (accounts.length < BATCH_SIZE) return;
  }
}
