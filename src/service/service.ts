/** The composition root: builds every part once, connects them, serves, and stops in the opposite order. */
import type { FastifyInstance } from "fastify";
import type { SchemaDeps } from "../../schema/context.ts";
import { createOriginCheck } from "../oauth/clients/origins.ts";
import type { Health } from "../platform/http/health.ts";
import { once } from "../platform/once.ts";
import { createDomains, type Domains, prepareDomains, registerDomainRoutes, startDomainJobs } from "./domains.ts";
import { registerSchema } from "./graphql.ts";
import { createHttp, localUrlOf, registerOperatorRoutes } from "./http.ts";
import { closePlatform, openPlatform, type Platform, type PlatformOptions } from "./platform.ts";

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

/** Opens the database, migrates it, and serves. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, onServing } = options;
  const platform = await openPlatform(options, {
    baseUrl: () => config.BASE_URL ?? localUrlOf(app),
    overhear: (channel, payload) => domains.events.overhear(channel, payload),
  });
  const domains = await createDomains(platform);
  const { deps } = domains;
  await prepareDomains(platform);

  const isClientOrigin = createOriginCheck(platform.db);
  const app = createHttp(platform, isClientOrigin);
  await registerSchema(app, platform, deps, isClientOrigin);
  await registerDomainRoutes(app, platform, domains);
  const health = registerOperatorRoutes(app, platform);
  await platform.pubsub.ready();
  const stop = once(() => stopService({ app, health, platform, domains }));
  onServing?.(stop);
  try {
    await app.listen({ host: config.HOST, port: config.PORT });
    await startDomainJobs(platform, domains);
    const incomingMail = await domains.incomingMail.listen(deps.agentMail.domain());
    health.setPhase("ready");
    return { app, deps, incomingMail, stop, baseUrl: deps.site.baseUrl(), localUrl: localUrlOf(app) };
  } catch (error) {
    // It may have been asked for something by now.
    await stop();
    throw error;
  }
}

/** What brings work goes first, then what does it, and last what both use. */
async function stopService(running: {
  readonly app: FastifyInstance;
  readonly health: Health;
  readonly platform: Platform;
  readonly domains: Domains;
}): Promise<void> {
  const { app, health, platform, domains } = running;
  health.setPhase("stopping");
  await Promise.all([app.close(), domains.incomingMail.stop()]);
  await domains.deps.gateway.calls.flush();
  await platform.jobs.stop();
  await domains.events.stop();
  domains.deps.agentMail.relay.close();
  await closePlatform(platform);
}
