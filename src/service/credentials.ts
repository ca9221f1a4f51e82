/** Puts agents' credentials together: what is published of them, and the job that keeps them up to date. */
import type { FastifyInstance } from "fastify";
import type { CredentialDeps } from "../agents/credentials/deps.ts";
import { refreshDueCredentials } from "../agents/credentials/refresh-due.ts";
import { registerCredentialRoutes } from "../agents/credentials/routes.ts";
import type { Config } from "../platform/config.ts";
import type { Jobs } from "../platform/jobs.ts";

export function registerCredentials(app: FastifyInstance, deps: CredentialDeps): void {
  registerCredentialRoutes(app, deps);
}

export async function startCredentialJobs(jobs: Jobs, config: Config, deps: CredentialDeps): Promise<void> {
  await jobs.repeat("refresh-agent-credentials", config.RECONCILE_INTERVAL_MS, () => refreshDueCredentials(deps));
}
