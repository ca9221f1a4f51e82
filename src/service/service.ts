/** The composition root: builds every part once, connects them, serves, and stops in the opposite order. */
import type { FastifyInstance } from "fastify";
import type { SchemaDeps } from "../../schema/context.ts";
import { createOriginCheck } from "../oauth/clients/origins.ts";
import type { Health } from "../platform/http/health.ts";
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

/** Opens the database, migrates it, and serves. */
export async function startService(options: PlatformOptions): Promise<Service> {
  const { config } = options;
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
  await app.listen({ host: config.HOST, port: config.PORT });
  await startDomainJobs(platform, domains);
  const incomingMail = await domains.incomingMail.listen(deps.agentMail.domain());
  health.setPhase("ready");

  return {
    ...{ app, deps, incomingMail },
    baseUrl: deps.site.baseUrl(),
    localUrl: localUrlOf(app),
    stop: () => stopService({ app, health, platform, domains }),
  };
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
