/** The composition root: creates every component once, connects them, listens, and stops in reverse order. */
import { setTimeout as wait } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { SchemaDeps } from "../../schema/context.ts";
import { createOriginCheck } from "../oauth/clients/origins.ts";
import { lazy } from "../platform/concurrency/memoize.ts";
import { PART_TIMEOUT_MS } from "../platform/health/parts.ts";
import { createDomains, type Domains, prepareDomains, registerDomainRoutes, startDomainJobs } from "./domains.ts";
import { registerSchema } from "./graphql.ts";
import { createHttp, getLocalUrl, registerOperatorRoutes } from "./http.ts";
import { openPlatform, type PlatformOptions } from "./platform.ts";
import { runStartChecks } from "./start-checks.ts";

export interface Service {
  readonly app: FastifyInstance;
  readonly deps: SchemaDeps;
  readonly baseUrl: string;
  /** The URL for processes on the same host. */
  readonly localUrl: string;
  /** The SMTP address for agents' mail; null if the service does not listen for mail. */
  readonly incomingMail: { readonly host: string; readonly port: number } | null;
  /** Waits for requests in flight, then closes all components in reverse order of their dependencies. */
  stop(): Promise<void>;
}

export interface ServiceOptions extends PlatformOptions {
  /** Receives `stop` before the service listens, because a signal may stop it before the start completes. */
  readonly onServing?: (stop: Service["stop"]) => void;
}

/** Opens and migrates the database and starts to listen. If a step fails, all opened components are closed. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, onServing } = options;
  const opened = new AsyncDisposableStack();
  const stop = lazy(() => opened.disposeAsync());
  try {
    const platform = await openPlatform(options, {
      baseUrl: () => config.BASE_URL ?? getLocalUrl(app),
      onPublish: (channel, payload) => domains.events.onPublish(channel, payload),
    });
    opened.defer(() => platform.close());
    const domains = await createDomains(platform);
    const { deps } = domains;
    // Closed in reverse order: first the sources of work, then its processors, last the shared components.
    opened.defer(() => deps.agentMail.relay.close());
    opened.defer(() => domains.events.stop());
    opened.defer(() => platform.jobs.stop());
    opened.defer(() => deps.gateway.calls.flush());
    opened.defer(() => deps.attempts.flush());
    await prepareDomains(platform);

    const isClientOrigin = createOriginCheck(platform.db);
    const app = createHttp(platform, isClientOrigin);
    opened.defer(() => stopRequests(app, domains));
    await registerSchema(app, platform, deps, isClientOrigin);
    await registerDomainRoutes(app, platform, domains);
    const health = registerOperatorRoutes(app, platform);
    opened.defer(() => health.setPhase("stopping"));
    // Without Redis the service is degraded, so the start does not wait longer.
    await Promise.race([platform.pubsub.ready(), wait(PART_TIMEOUT_MS, undefined, { ref: false })]);
    onServing?.(stop);
    await app.listen({ host: config.HOST, port: config.PORT });
    await startDomainJobs(platform, domains);
    const incomingMail = await domains.incomingMail.listen(deps.agentMail.domain());
    await runStartChecks(platform, deps);
    platform.parts.startChecking();
    health.setPhase("ready");
    return { app, deps, incomingMail, stop, baseUrl: deps.site.baseUrl(), localUrl: getLocalUrl(app) };
  } catch (error) {
    // The start error is thrown, because it is more useful than an error while closing.
    await stop().catch((closing) => options.logger.error({ err: closing }, "Cleanup after a failed start failed"));
    throw error;
  }
}

/**
 * Stops the HTTP server and incoming mail. Waits for both even if one fails, because requests still use the database.
 */
async function stopRequests(app: FastifyInstance, { incomingMail }: Domains): Promise<void> {
  for (const end of await Promise.allSettled([app.close(), incomingMail.stop()])) {
    if (end.status === "rejected") throw end.reason;
  }
}
