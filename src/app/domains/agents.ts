/** Composition of agents: dependencies, the routes that publish agents and credentials, and jobs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { CredentialCreatedDeps } from "../../accounts/credential-created.ts";
import { registerAgentMetrics } from "../../agents/agent-metrics.ts";
import { scheduleMovedAgents } from "../../agents/align-registry.ts";
import { createMissingAgents } from "../../agents/create-missing-agents.ts";
import type { CredentialDeps } from "../../agents/credentials/deps.ts";
import { refreshDueCredentials } from "../../agents/credentials/refresh-due.ts";
import { registerCredentialRoutes } from "../../agents/credentials/routes.ts";
import type { AgentDeps, AgentSettings } from "../../agents/deps.ts";
import { registerDidRoutes } from "../../agents/did-routes.ts";
import { ensureAgent } from "../../agents/ensure-agent.ts";
import { registerAgents } from "../../agents/register-agents.ts";
import { registerRegistrationRoute } from "../../agents/registration-route.ts";
import { createRegistry } from "../../agents/registry.ts";
import { createSharedPause } from "../../platform/concurrency/shared-pause.ts";
import type { Platform } from "../platform.ts";

/** After this time without a block, a registration's transaction is replaced with a higher fee. */
const STUCK_AFTER_MS = 60_000;
/** The public image of every agent: the service's own mark. */
const IMAGE_FILE = join(import.meta.dirname, "../../../web/app/mark.svg");
const MISSING_AGENTS_INTERVAL_MS = 600_000;

export function createAgentDeps(platform: Platform): Pick<AgentDeps, "agents"> & CredentialCreatedDeps {
  const { config, db, pubsub, logger, keks, metrics } = platform;
  const { AGENT_REGISTRATIONS_PER_DAY: registrationsPerDay } = config;
  const defaults = {
    wantsAgent: config.AGENT_REGISTRATION ?? config.SANDBOX,
    publishesMailbox: config.AGENT_PUBLISHES_MAILBOX ?? config.SANDBOX,
    publishesWallet: config.AGENT_PUBLISHES_WALLET ?? config.SANDBOX,
  };
  const agents: AgentSettings = {
    ...{
      registry: createRegistry(config),
      defaults,
      registrationsPerDay,
      hasPublicAddress: config.BASE_URL !== undefined,
      creations: new Map(),
      stuckAfterMs: STUCK_AFTER_MS,
    },
    ...{ unavailable: createSharedPause(), unfunded: createSharedPause() },
  };
  registerAgentMetrics(metrics, db);
  return {
    agents,
    onCredentialCreated(accountId) {
      const creation = ensureAgent({ db, pubsub, keks, agents }, accountId)
        .catch((error: unknown) =>
          logger.warn({ err: error, accountId }, "Agent was not created; the recurring job retries"),
        )
        .finally(() => agents.creations.get(accountId) === creation && agents.creations.delete(accountId));
      agents.creations.set(accountId, creation);
    },
  };
}

export function registerAgentRoutes(app: FastifyInstance, deps: AgentDeps & CredentialDeps): void {
  registerRegistrationRoute(app, deps, readFileSync(IMAGE_FILE, "utf8"));
  registerDidRoutes(app, deps);
  registerCredentialRoutes(app, deps);
}

export async function startAgentJobs({ jobs, config }: Platform, deps: AgentDeps & CredentialDeps): Promise<void> {
  await jobs.repeat("register-agents", config.RECONCILE_INTERVAL_MS, () => registerAgents(deps));
  await jobs.repeat("adopt-accounts", MISSING_AGENTS_INTERVAL_MS, () => createMissingAgents(deps));
  await jobs.repeat("schedule-moved-agents", MISSING_AGENTS_INTERVAL_MS, () => scheduleMovedAgents(deps));
  await jobs.repeat("refresh-agent-credentials", config.RECONCILE_INTERVAL_MS, () => refreshDueCredentials(deps));
}
