/**
 * Composition of all domains. To add a domain, create a file in `domains/` and add it to the lists below. The file
 * exports `create…Deps`, `register…Routes` and `start…Jobs` as needed. Incoming mail and events own open resources, so
 * they are objects with the same methods and `stop`.
 */
import type { FastifyInstance } from "fastify";
import type { SchemaDeps } from "../../schema/context.ts";
import { apiTokenKind } from "../accounts/api-token-kind.ts";
import { createAccessTokenKind } from "../oauth/access-token-kind.ts";
import { ensureCommandLineClient } from "../oauth/command-line-client.ts";
import { purchaseTokenKind } from "../payments/purchase-tokens/purchase-token-kind.ts";
import { startRetention } from "../platform/retention/enforce.ts";
import {
  createAccountDeps,
  createAdministrationDeps,
  createConfiguredSessionKind,
  registerAccountRoutes,
  startAccountJobs,
} from "./domains/accounts.ts";
import { createAgentDeps, registerAgentRoutes, startAgentJobs } from "./domains/agents.ts";
import { startChainAuditJobs } from "./domains/chain-audit.ts";
import { createCheckoutDeps, registerCheckoutRoutes, startCheckoutJobs } from "./domains/checkout.ts";
import { saveConfiguredPool } from "./domains/checkout-pool.ts";
import { createEvents, type RunningEvents } from "./domains/events.ts";
import { createGatewayDeps, startGatewayJobs } from "./domains/gateway.ts";
import { createIncomingMail, type IncomingMail } from "./domains/incoming-mail.ts";
import { createMailDeps, registerMailRoutes, startMailJobs } from "./domains/mail.ts";
import { createOAuthClientDeps, startOAuthJobs } from "./domains/oauth.ts";
import { createPaymentDeps, startPaymentJobs } from "./domains/payments.ts";
import { createPersonalDataDeps, registerPersonalDataRoutes, startPersonalDataJobs } from "./domains/personal-data.ts";
import { createTradeDeps, startTradeJobs } from "./domains/trade.ts";
import { createFreeCreditDeps, createTreasuryDeps, createWalletDeps, startTreasuryJobs } from "./domains/wallet.ts";
import type { Platform } from "./platform.ts";
import { RETENTION_RULES } from "./retention-rules.ts";

export interface Domains {
  /** The dependencies of all use cases. */
  readonly deps: SchemaDeps;
  readonly events: RunningEvents;
  readonly incomingMail: IncomingMail;
}

/** @throws {ConfigError} if a setting refers to an unusable file or value */
export async function createDomains(platform: Platform): Promise<Domains> {
  const { config, db, egress, pubsub, logger, securityLog, rateLimiter, mailer, queueEmail, keks, signingKeys, site } =
    platform;
  const events = createEvents(platform);
  const wallet = createWalletDeps(platform);
  const deriveIdentifier = async (accountId: string, text: string) =>
    wallet.vault.deriveIdentifier(await wallet.wallets.ofAccount(accountId), text);
  const freeCredit = createFreeCreditDeps(platform);
  const oauthClients = createOAuthClientDeps(platform);
  const deps: SchemaDeps = {
    ...{ db, egress, pubsub, logger, securityLog, rateLimiter, mailer, queueEmail, keks, signingKeys, site, events },
    ...createPaymentDeps(platform, wallet),
    ...freeCredit,
    ...createTreasuryDeps(platform),
    ...createAdministrationDeps(config),
    ...createAccountDeps(platform, wallet, freeCredit),
    ...createTradeDeps(platform),
    ...createGatewayDeps(platform),
    ...createAgentDeps(platform),
    ...(await createMailDeps(platform, deriveIdentifier)),
    ...createCheckoutDeps(platform),
    ...createPersonalDataDeps(platform),
    ...oauthClients,
    adminTokens: config.ADMIN_TOKEN,
    tokenKinds: [
      apiTokenKind,
      createAccessTokenKind(oauthClients.clientDocuments.isEnabled),
      createConfiguredSessionKind(config),
      purchaseTokenKind,
    ],
  };
  return { deps, events, incomingMail: createIncomingMail(platform, { ...deps, deriveIdentifier }) };
}

/**
 * Writes the rows that must exist before the first request.
 * @throws {ConfigError}
 */
export async function prepareDomains(platform: Platform): Promise<void> {
  await ensureCommandLineClient(platform.db);
  await saveConfiguredPool(platform);
}

/** Registers the routes that are not operations, and therefore not part of the schema or the REST layer. */
export async function registerDomainRoutes(
  app: FastifyInstance,
  platform: Platform,
  { deps, incomingMail }: Domains,
): Promise<void> {
  const fileDeps = { ...deps, unknownMembers: platform.config.UNKNOWN_MEMBERS };
  registerAccountRoutes(app, deps);
  registerAgentRoutes(app, deps);
  registerMailRoutes(app, fileDeps);
  await registerCheckoutRoutes(app, platform, fileDeps);
  registerPersonalDataRoutes(app, fileDeps);
  incomingMail.registerRoutes(app);
}

/** Starts the jobs. The service must be listening, because credentials and evidence contain the URL of their keys. */
export async function startDomainJobs(platform: Platform, { deps, events, incomingMail }: Domains): Promise<void> {
  const { jobs } = platform;
  await startAccountJobs(platform, deps);
  await startTreasuryJobs(platform, deps);
  await startOAuthJobs(platform, deps);
  await startPaymentJobs(platform, deps);
  await startChainAuditJobs(platform, deps);
  await startTradeJobs(platform, deps);
  await startGatewayJobs(platform, deps);
  await startAgentJobs(platform, deps);
  await startMailJobs(platform, deps);
  await incomingMail.startJobs(jobs);
  await startCheckoutJobs(platform, deps);
  await startPersonalDataJobs(platform, deps);
  await events.startJobs(jobs);
  await startRetention(platform, RETENTION_RULES);
}
