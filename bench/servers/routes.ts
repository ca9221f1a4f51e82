/**
 * Satchel's HTTP host, route table, dialects and compiled operations, with wallet and chain served from memory. It shows the
 * cost of a REST route without database and chain queries.
 */
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { registerRestRoutes } from "../../rest-compat/register.ts";
import type { Context } from "../../schema/context.ts";
import { buildSchema } from "../../schema/schema.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { createHttpServer } from "../../src/platform/http/server.ts";
import { createSite } from "../../src/platform/http/site.ts";
import { createLogger } from "../../src/platform/observability/logger.ts";
import { createMetrics } from "../../src/platform/observability/metrics.ts";
import { serveParent } from "../harness/serve-parent.ts";

const accountId = randomUUID();
const wallet = { evmAddress: `0x${"1".repeat(40)}`, solanaAddress: "1".repeat(32) };
const chain = { tokenBalanceAtomic: async () => 12_500_000n, nativeBalanceAtomic: async () => 10n ** 16n };
const deps = {
  db: { query: async () => [{ available_micro_usd: viewer.creditMicroUsd }] },
  wallets: { ofAccount: async () => wallet },
  chains: { networks: ["base"], any: () => chain },
  settings: { defaultNetwork: "base" },
};
const viewer = {
  kind: "account",
  accountId,
  credentialId: "tok_1",
  credentialKind: "api_token",
  scopes: ["balance:read"],
  rules: { networks: ["base"], allowedHosts: [], allowedPayees: [] },
  x402Enabled: true,
  creditMicroUsd: 4_750_000n,
  expiresAtMs: null,
};

const config = loadConfig({});
const app = createHttpServer({ config, logger: createLogger(config.LOG_LEVEL), metrics: createMetrics() });
registerRestRoutes(app, {
  schema: buildSchema(),
  createContext: async ({ requestId }) =>
    ({ deps, viewer, requestId, idempotencyKey: null, exchange: null, isTrusted: true }) as unknown as Context,
  countRequest: async () => {},
  unknownMembers: "refuse",
  site: createSite(() => "", false),
});
await app.listen({ port: 0, host: "127.0.0.1" });
serveParent((app.server.address() as AddressInfo).port);
