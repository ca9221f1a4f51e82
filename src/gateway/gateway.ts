/** Construction of the gateway from its configuration. */
import type { Config } from "../platform/config/load.ts";
import type { Database } from "../platform/database/connection.ts";
import type { Egress } from "../platform/egress/egress.ts";
import type { Logger } from "../platform/observability/logger.ts";
import type { Metrics } from "../platform/observability/metrics.ts";
import type { PubSub } from "../platform/pubsub/pubsub.ts";
import { createCallMeter } from "./call-meter.ts";
import { createCallLog } from "./calls.ts";
import type { Gateway, Provider } from "./deps.ts";
import { createCatalogue } from "./discover.ts";
import { createSandboxProviders, type ProviderConfig, readProviders } from "./provider-config.ts";
import { createProviderHealth } from "./provider-health.ts";

interface GatewayParts {
  readonly db: Database;
  readonly egress: Egress;
  readonly pubsub: PubSub;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * Creates the gateway.
 * @param sandboxUrl URL of the sandbox's providers, used if none are configured
 * @throws {ConfigError} if the provider configuration is invalid
 */
export function createGateway(config: Config, sandboxUrl: string | null, parts: GatewayParts): Gateway {
  const configured =
    config.GATEWAY_PROVIDERS !== undefined
      ? readProviders(config.GATEWAY_PROVIDERS)
      : sandboxUrl === null
        ? []
        : createSandboxProviders(sandboxUrl);
  const providers = configured.map((provider) => createProvider(provider, parts));
  const meter = createCallMeter(parts.metrics, providers);
  return {
    providers,
    meter,
    timeouts: {
      streamStartMs: config.GATEWAY_TIMEOUT_MS,
      completionMs: config.GATEWAY_COMPLETION_TIMEOUT_MS,
      idleMs: config.GATEWAY_IDLE_TIMEOUT_MS,
      totalMs: config.GATEWAY_MAX_DURATION_MS,
    },
    maxCallsInFlight: config.GATEWAY_MAX_CALLS_IN_FLIGHT,
    walletMinimumMicroUsd: config.GATEWAY_WALLET_MIN_USD,
    calls: createCallLog(parts),
  };
}

function createProvider(config: ProviderConfig, parts: GatewayParts): Provider {
  const { name, baseUrl, kind, apiKey = null, costUnit = null } = config;
  return {
    name,
    baseUrl,
    kind,
    apiKey,
    costUnit,
    health: createProviderHealth(),
    models: createCatalogue(config, parts),
  };
}
