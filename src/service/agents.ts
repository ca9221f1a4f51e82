/** Puts the agents together: what they take, their jobs, their public file and their figures. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { CredentialMadeDeps } from "../accounts/credential-made.ts";
import { adoptAccounts } from "../agents/adopt-accounts.ts";
import { registerAgentMetrics } from "../agents/agent-metrics.ts";
import type { AgentDeps } from "../agents/deps.ts";
import { ensureAgent } from "../agents/ensure-agent.ts";
import { registerAgents as registerDueAgents } from "../agents/register-agents.ts";
import { registerRegistrationRoute } from "../agents/registration-route.ts";
import { createRegistry } from "../agents/registry.ts";
import type { Config } from "../platform/config.ts";
import type { Jobs } from "../platform/jobs.ts";
import type { Metrics } from "../platform/metrics.ts";

/** How long a registration's transaction may wait for a block before more is offered for it. */
const STUCK_AFTER_MS = 60_000;
/** What agents look like to others: the service's own mark. */
const PICTURE = join(import.meta.dirname, "../../web/app/mark.svg");
const ADOPTION_INTERVAL_MS = 600_000;

/** The parts of the service's dependencies that only agents bring. */
export function createAgentDeps(
  parts: { readonly config: Config } & Pick<AgentDeps, "db" | "pubsub" | "logger" | "keks">,
): Pick<AgentDeps, "keks" | "agents"> & CredentialMadeDeps {
  const { config, keks, logger } = parts;
  const { AGENT_REGISTRATIONS_PER_DAY: registrationsPerDay } = config;
  const agents = { registry: createRegistry(config), registrationsPerDay, stuckAfterMs: STUCK_AFTER_MS };
  return {
    keks,
    agents,
    onCredential(accountId) {
      ensureAgent({ ...parts, agents }, accountId).catch((error: unknown) =>
        logger.warn({ err: error, accountId }, "no agent made yet; the regular look makes it"),
      );
    },
  };
}

export async function startAgentJobs(jobs: Jobs, config: Config, deps: AgentDeps): Promise<void> {
  await jobs.repeat("register-agents", config.RECONCILE_INTERVAL_MS, () => registerDueAgents(deps));
  await jobs.repeat("adopt-accounts", ADOPTION_INTERVAL_MS, () => adoptAccounts(deps));
}

/** The registration files and the figures. */
export function registerAgents(app: FastifyInstance, metrics: Metrics, deps: AgentDeps): void {
  registerRegistrationRoute(app, deps, readFileSync(PICTURE, "utf8"));
  registerAgentMetrics(metrics, deps.db);
}
