/** Claims of each kind of credential, and the check whether issued claims are outdated. */
import { isDeepStrictEqual } from "node:util";
import { formatSubject } from "../../accounts/subject.ts";
import { formatUsd } from "../../platform/money.ts";
import { registrationPath } from "../registration-file.ts";
import type { AgentFacts } from "./facts.ts";
import type { CredentialKind } from "./kinds.ts";
import type { DisclosableClaims } from "./sd-jwt.ts";

/** Difference between the issued and the current trust score, in points, at which the credential is replaced. */
const SCORE_STEP = 5;

const CLAIMS: Readonly<Record<CredentialKind, (baseUrl: string, facts: AgentFacts) => DisclosableClaims>> = {
  trust: (baseUrl, facts) => ({
    sub: facts.wallet,
    ...createAgentClaims(facts),
    registration: baseUrl + registrationPath(facts.agent.id),
    trust_score: facts.trust.score,
    trust_score_parts: Object.fromEntries(
      facts.trust.parts.map(({ name, points, maxPoints }) => [name, { points, max_points: maxPoints }]),
    ),
    statements: {
      wallet_linked: facts.agent.isWalletLinked,
      registered_on: formatDay(facts.agent.registeredAt),
      account_opened_on: formatDay(facts.agent.account.createdAt),
      email_verified: facts.agent.account.email !== null,
    },
  }),
  delegation: (baseUrl, facts) => ({
    sub: formatSubject(baseUrl, facts.agent.accountId),
    agent: facts.wallet,
    ...createAgentClaims(facts),
    payments_enabled: facts.agent.account.x402EnabledAt !== null,
    limits: {
      per_transaction_usd: formatLimit(facts.limits.perTransactionMicroUsd),
      daily_usd: formatLimit(facts.limits.dailyMicroUsd),
      monthly_usd: formatLimit(facts.limits.monthlyMicroUsd),
    },
    scopes: facts.scopes,
    networks: facts.networks,
  }),
};

/** Returns the current claims for a credential of one kind. */
export function createClaims(kind: CredentialKind, baseUrl: string, facts: AgentFacts): DisclosableClaims {
  return CLAIMS[kind](baseUrl, facts);
}

/** Returns whether a credential issued with `issued` must be replaced, given the current `claims`. @param issued result of `readClaims` */
export function isOutdated(claims: DisclosableClaims, issued: DisclosableClaims): boolean {
  const { trust_score: score, trust_score_parts: _parts, ...rest } = claims;
  const hasChanged = Object.entries(rest).some(([name, value]) => !isDeepStrictEqual(value, issued[name]));
  return hasChanged || (score !== undefined && !(Math.abs(Number(score) - Number(issued["trust_score"])) < SCORE_STEP));
}

function createAgentClaims({ agent, registry, chain }: AgentFacts): DisclosableClaims {
  return { agent_id: Number(agent.agentId), agent_registry: registry, chain };
}

function formatDay(time: Date | null): string | null {
  return time?.toISOString().slice(0, 10) ?? null;
}

function formatLimit(microUsd: bigint | null): string | null {
  return microUsd === null ? null : formatUsd(microUsd);
}
