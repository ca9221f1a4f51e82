/** The composition root: builds every part once, connects them, serves, and stops in the opposite order. */
import type { FastifyInstance } from "fastify";
import type { SchemaDeps } from "../../schema/context.ts";
import { createOriginCheck } from "../oauth/clients/origins.ts";
import { lazy } from "../platform/concurrency/memoize.ts";
import { createDomains, type Domains, prepareDomains, registerDomainRoutes, startDomainJobs } from "./domains.ts";
import { registerSchema } from "./graphql.ts";
import { createHttp, localUrlOf, registerOperatorRoutes } from "./http.ts";
import { openPlatform, type PlatformOptions } from "./platform.ts";

export interface Service {
  readonly app: FastifyInstance;
  readonly deps: SchemaDeps;
  readonly baseUrl: string;
  /** Where it listens, for processes of this machine. */
  readonly localUrl: string;
  /** Where it takes agents' mail by SMTP; null where it does not. */
  readonly incomingMail: { readonly host: string; readonly port: number } | null;
  /** Lets requests under way finish, then closes everything in the order in which it depends on each other. */
  stop(): Promise<void>;
}

export interface ServiceOptions extends PlatformOptions {
  /** Given what stops it, before it takes its first request: it may have to be stopped before it is all there. */
  readonly onServing?: (stop: Service["stop"]) => void;
}

/** Opens the database, migrates it, and serves. When any of it fails, what was opened is closed again. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, onServing } = options;
  const opened = new AsyncDisposableStack();
  const stop = lazy(() => opened.disposeAsync());
  try {
    const platform = await openPlatform(options, {
      baseUrl: () => config.BASE_URL ?? localUrlOf(app),
      overhear: (channel, payload) => domains.events.overhear(channel, payload),
    });
    opened.defer(() => platform.close());
    const domains = await createDomains(platform);
    const { deps } = domains;
    // Closed from the last to the first: what brings work, then what does it, and last what both use.
    opened.defer(() => deps.agentMail.relay.close());
    opened.defer(() => domains.events.stop());
    opened.defer(() => platform.jobs.stop());
    opened.defer(() => deps.gateway.calls.flush());
    await prepareDomains(platform);

    const isClientOrigin = createOriginCheck(platform.db);
    const app = createHttp(platform, isClientOrigin);
    opened.defer(() => stopRequests(app, domains));
    await registerSchema(app, platform, deps, isClientOrigin);
    await registerDomainRoutes(app, platform, domains);
    const health = registerOperatorRoutes(app, platform);
    opened.defer(() => health.setPhase("stopping"));
    await platform.pubsub.ready();
    onServing?.(stop);
    await app.listen({ host: config.HOST, port: config.PORT });
    await startDomainJobs(platform, domains);
    const incomingMail = await domains.incomingMail.listen(deps.agentMail.domain());
    health.setPhase("ready");
    return { app, deps, incomingMail, stop, baseUrl: deps.site.baseUrl(), localUrl: localUrlOf(app) };
  } catch (error) {
    // Why it did not start says more than what did not close.
    await stop().catch((closing) => options.logger.error({ err: closing }, "closing what was opened failed"));
    throw error;
  }
}

/** What brings work goes first: each is waited for, also where the other fails, or a request would outlive its database. */
async function stopRequests(app: FastifyInstance, { incomingMail }: Domains): Promise<void> {
  for (const end of await Promise.allSettled([app.close(), incomingMail.stop()])) {
    if (end.status === "rejected") throw end.reason;
  }
}
