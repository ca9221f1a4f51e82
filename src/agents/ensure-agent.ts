/** Creates an account's agent together with its first credential. */
import type { Statement } from "../platform/database/connection.ts";
import { newId } from "../platform/ids.ts";
import { readAgentChoice } from "./agent-choice.ts";
import { publishAgent } from "./agent-events.ts";
import type { AgentDeps } from "./deps.ts";
import { createHolderKey } from "./holder-key.ts";

const INSERT: Statement = {
  name: "insert-agent",
  // The lock orders it with a concurrent change of the account owner's choice.
  text: `WITH wanting AS MATERIALIZED (SELECT id FROM accounts WHERE id = $2 AND coalesce(wants_agent, $10) FOR SHARE)
    INSERT INTO agents (id, account_id, status, network, registry_address, holder_public_jwk, sealed_holder_key,
      wrapped_data_key, kek_id, is_account_bound, next_check_at)
    SELECT $1, id, 'pending', $3, $4, $5, $6, $7, $8, $9, now() FROM wanting
    ON CONFLICT (account_id) DO NOTHING RETURNING id`,
};

/**
 * Creates the account's agent unless it exists or the account owner disabled the registration. A recurring job registers it. Concurrent calls
 * create one agent.
 */
export async function ensureAgent(
  deps: Pick<AgentDeps, "db" | "pubsub" | "keks" | "agents">,
  accountId: string,
): Promise<void> {
  if ((await deps.db.prisma.agent.count({ where: { accountId } })) > 0) return;
  if (!(await readAgentChoice(deps, accountId)).wantsAgent) return;
  const id = newId("agt");
  const { network, address } = deps.agents.registry;
  const { holderPublicJwk, sealedHolderKey, wrappedDataKey, kekId, isAccountBound } = await createHolderKey(deps.keks, {
    id,
    accountId,
  });
  const inserted = await deps.db.query<{ id: string }>(INSERT, [
    id,
    accountId,
    network,
    address,
    JSON.stringify(holderPublicJwk),
    sealedHolderKey,
    wrappedDataKey,
    kekId,
    isAccountBound,
    deps.agents.defaults.wantsAgent,
  ]);
  if (inserted.length > 0) publishAgent(deps.pubsub, accountId, id);
}
