/** What credentials are made from: the agent, its account, and what the person allows it. */
import type { Account, Agent } from "../../../generated/prisma/client.ts";
import type { Statement } from "../../platform/database/connection.ts";
import { findNetwork } from "../../wallet/networks.ts";
import { chainIdOf, registryName } from "../registry.ts";
import { type TrustScore, trustScore } from "../trust-score.ts";
import type { CredentialDeps } from "./deps.ts";

export interface AgentFacts {
  readonly agent: Agent & { readonly agentId: bigint; readonly account: Account };
  /** CAIP-2. */
  readonly chain: string;
  /** As ERC-8004 writes it. */
  readonly registry: string;
  /** did:pkh of the account's wallet on that chain. */
  readonly wallet: string;
  readonly trust: TrustScore;
  readonly limits: {
    readonly perTransactionMicroUsd: bigint | null;
    readonly dailyMicroUsd: bigint | null;
    readonly monthlyMicroUsd: bigint | null;
  };
  /** What any credential that stands is granted. */
  readonly scopes: readonly string[];
  /** Where any credential that stands may pay, by CAIP-2 names. */
  readonly networks: readonly string[];
}

/** An account's own budget has the account's id. */
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

/** May change the account; no business of those a credential is shown to. */
const OWN_SCOPES = ["account:manage"];

/** @param agent registered: it has a number in the registry */
export async function gatherFacts(deps: CredentialDeps, agent: AgentFacts["agent"]): Promise<AgentFacts> {
  const { accountId } = agent;
  const [wallet, trust, [limits], [granted]] = await Promise.all([
    deps.wallets.ofAccount(accountId),
    trustScore(deps, agent),
    deps.db.query<AgentFacts["limits"]>(LIMITS, [accountId]),
    deps.db.query<Pick<AgentFacts, "scopes" | "networks">>(GRANTED, [accountId]),
  ]);
  if (!limits) throw new Error(`The account ${accountId} has no budget.`);
  const chain = `eip155:${chainIdOf(agent.network)}`;
  return {
    agent,
    chain,
    registry: registryName(agent),
    wallet: `did:pkh:${chain}:${wallet.evmAddress}`,
    trust,
    limits,
    scopes: (granted?.scopes ?? []).filter((scope) => !OWN_SCOPES.includes(scope)),
    networks: (granted?.networks ?? []).map((name) => findNetwork(name)?.caip2[0] ?? name),
  };
}
