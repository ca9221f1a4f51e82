/** Data for credentials: the agent, its account, and the limits and scopes the account owner granted. */
import type { Account, Agent } from "../../../generated/prisma/client.ts";
import type { Statement } from "../../platform/database/connection.ts";
import { findNetwork } from "../../wallet/networks.ts";
import { chainIdOf, formatRegistryId } from "../registry.ts";
import { readTrustScore, type TrustScore } from "../trust-score.ts";
import type { CredentialDeps } from "./deps.ts";

export interface AgentFacts {
  readonly agent: Agent & { readonly agentId: bigint; readonly account: Account };
  /** CAIP-2 identifier of the registry's chain. */
  readonly chain: string;
  /** Registry in the format of ERC-8004: `eip155:<chain id>:<address>`. */
  readonly registry: string;
  /** `did:pkh` of the account's wallet on that chain. */
  readonly wallet: string;
  readonly trust: TrustScore;
  readonly limits: {
    readonly perTransactionMicroUsd: bigint | null;
    readonly dailyMicroUsd: bigint | null;
    readonly monthlyMicroUsd: bigint | null;
  };
  /** Union of the scopes of all valid API tokens and grants. */
  readonly scopes: readonly string[];
  /** Union of the networks of all valid API tokens and grants, as CAIP-2 identifiers. */
  readonly networks: readonly string[];
}

/** The account-wide budget has the account's id. */
const LIMITS: Statement = {
  name: "limits-delegated-to-agent",
  text: `SELECT per_transaction_limit_micro_usd AS "perTransactionMicroUsd", daily_limit_micro_usd AS "dailyMicroUsd",
      monthly_limit_micro_usd AS "monthlyMicroUsd"
    FROM budgets WHERE id = $1`,
};

const GRANTED: Statement = {
  name: "scopes-delegated-to-agent",
  text: `WITH held AS (
      SELECT scopes, networks FROM api_tokens
        WHERE account_id = $1::uuid AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
      UNION ALL
      SELECT scopes, networks FROM oauth_grants WHERE account_id = $1::uuid AND revoked_at IS NULL)
    SELECT ARRAY(SELECT DISTINCT unnest(scopes) FROM held ORDER BY 1) AS scopes,
      ARRAY(SELECT DISTINCT unnest(networks) FROM held ORDER BY 1) AS networks`,
};

/** Scopes omitted from credentials: they concern the account itself and are irrelevant to verifiers. */
const ACCOUNT_SCOPES = ["account:manage", "account:read", "cards:read", "orders:write", "trade:execute", "email:send"];

/** Reads the data for an agent's credentials. @param agent a registered agent, so its registry id is set */
export async function readAgentFacts(deps: CredentialDeps, agent: AgentFacts["agent"]): Promise<AgentFacts> {
  const { accountId } = agent;
  const [wallet, trust, [limits], [granted]] = await Promise.all([
    deps.wallets.ofAccount(accountId),
    readTrustScore(deps, agent),
    deps.db.query<AgentFacts["limits"]>(LIMITS, [accountId]),
    deps.db.query<Pick<AgentFacts, "scopes" | "networks">>(GRANTED, [accountId]),
  ]);
  if (!limits) throw new Error(`The account ${accountId} has no budget.`);
  const chain = `eip155:${chainIdOf(agent.network)}`;
  return {
    agent,
    chain,
    registry: formatRegistryId(agent),
    wallet: `did:pkh:${chain}:${wallet.evmAddress}`,
    trust,
    limits,
    scopes: (granted?.scopes ?? []).filter((scope) => !ACCOUNT_SCOPES.includes(scope)),
    networks: (granted?.networks ?? []).map((name) => findNetwork(name)?.caip2[0] ?? name),
  };
}
