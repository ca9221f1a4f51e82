/** What each kind of credential says, and when it no longer says what is so. */
import { isDeepStrictEqual } from "node:util";
import { subjectOf } from "../../accounts/subject.ts";
import { formatUsd } from "../../platform/money.ts";
import { registrationPath } from "../registration-file.ts";
import type { AgentFacts } from "./facts.ts";
import type { CredentialKind } from "./kinds.ts";
import type { DisclosableClaims } from "./sd-jwt.ts";

/** A trust credential whose score is this far from the true one is replaced. */
const SCORE_STEP = 5;

const CLAIMS: Readonly<Record<CredentialKind, (baseUrl: string, facts: AgentFacts) => DisclosableClaims>> = {
  trust: (baseUrl, facts) => ({
    sub: facts.wallet,
    ...agentClaims(facts),
    registration: baseUrl + registrationPath(facts.agent.id),
    trust_score: facts.trust.score,
    trust_score_parts: Object.fromEntries(
      facts.trust.parts.map(({ name, points, maxPoints }) => [name, { points, max_points: maxPoints }]),
    ),
    statements: {
      wallet_linked: facts.agent.isWalletLinked,
      registered_on: day(facts.agent.registeredAt),
      account_opened_on: day(facts.agent.account.createdAt),
      email_verified: facts.agent.account.email !== null,
    },
  }),
  delegation: (baseUrl, facts) => ({
    sub: subjectOf(baseUrl, facts.agent.accountId),
    agent: facts.wallet,
    ...agentClaims(facts),
    payments_enabled: facts.agent.account.x402EnabledAt !== null,
    limits: {
      per_transaction_usd: usd(facts.limits.perTransactionMicroUsd),
      daily_usd: usd(facts.limits.dailyMicroUsd),
      monthly_usd: usd(facts.limits.monthlyMicroUsd),
    },
    scopes: facts.scopes,
    networks: facts.networks,
  }),
};

/** The claims of a credential of that kind, as things stand. */
export function claimsOf(kind: CredentialKind, baseUrl: string, facts: AgentFacts): DisclosableClaims {
  return CLAIMS[kind](baseUrl, facts);
}

/** Whether a credential that says `stated` has to be replaced, now that `claims` is so. @param stated as `readClaims` gives it */
export function isOutdated(claims: DisclosableClaims, stated: DisclosableClaims): boolean {
  const { trust_score: score, trust_score_parts: _parts, ...rest } = claims;
  const isMoved = Object.entries(rest).some(([name, value]) => !isDeepStrictEqual(value, stated[name]));
  return isMoved || (score !== undefined && !(Math.abs(Number(score) - Number(stated["trust_score"])) < SCORE_STEP));
}

function agentClaims({ agent, registry, chain }: AgentFacts): DisclosableClaims {
  return { agent_id: Number(agent.agentId), agent_registry: registry, chain };
}

function day(time: Date | null): string | null {
  return time?.toISOString().slice(0, 10) ?? null;
}

function usd(microUsd: bigint | null): string | null {
  return microUsd === null ? null : formatUsd(microUsd);
}
