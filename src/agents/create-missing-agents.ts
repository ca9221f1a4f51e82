/** Creates agents that are missing because of a crash, or because the account's first credential is older than agents. */
import type { Statement } from "../platform/database/connection.ts";
import type { AgentDeps } from "./deps.ts";
import { ensureAgent } from "./ensure-agent.ts";

const BATCH_SIZE = 100;

const ACCOUNTS_WITHOUT_AGENT: Statement = {
  name: "accounts-without-agent",
  text: `SELECT a.id FROM accounts a
    WHERE coalesce(a.wants_agent, $1) AND NOT EXISTS (SELECT FROM agents WHERE account_id = a.id)
      AND (EXISTS (SELECT FROM api_tokens WHERE account_id = a.id)
        OR EXISTS (SELECT FROM oauth_grants g JOIN oauth_tokens t ON t.grant_id = g.id WHERE g.account_id = a.id))
    LIMIT ${BATCH_SIZE}`,
};

/** Creates an agent for every account whose owner enabled the registration, and that has an API token or an authorized application, and no agent. */
export async function createMissingAgents(deps: Pick<AgentDeps, "db" | "pubsub" | "keks" | "agents">): Promise<void> {
  for (;;) {
    const accounts = await deps.db.query<{ id: string }>(ACCOUNTS_WITHOUT_AGENT, [deps.agents.defaults.wantsAgent]);
    for (const { id } of accounts) await ensureAgent(deps, id);
    if (accounts.length < BATCH_SIZE) return;
  }
}
