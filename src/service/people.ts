/** Puts people's sign-in together: what it takes, its routes, its jobs, and connections that end with their session. */
import type { FastifyInstance } from "fastify";
import { createSessionKind } from "../accounts/session-kind.ts";
import { deleteOldSessions, ENDED_SESSIONS } from "../accounts/sessions.ts";
import { deleteOldAttempts } from "../accounts/sign-in/attempts.ts";
import type { SignInDeps } from "../accounts/sign-in/deps.ts";
import { createUpstreamProvider } from "../accounts/sign-in/upstream-provider.ts";
import { registerUpstreamRoutes } from "../accounts/sign-in/upstream-routes.ts";
import type { TokenKind } from "../accounts/token-kind.ts";
import type { Config } from "../platform/config.ts";
import type { Database } from "../platform/database.ts";
import { registerJwksRoute } from "../platform/http/jwks-route.ts";
import type { Jobs } from "../platform/jobs.ts";
import type { PubSub } from "../platform/pubsub.ts";
import { SubscriptionInterruptedError } from "../platform/pubsub-subscribers.ts";
import type { KeyEncryptionKeys } from "../platform/sealing/wrapped-key.ts";
import { createSigningKeys } from "../platform/signing-keys.ts";
import { createSite } from "../platform/site.ts";
import { DEMO_EMAIL } from "../start-up/demo-account.ts";
import { NETWORK_NAMES } from "../wallet/networks.ts";
import { openAccount } from "../wallet/open-account.ts";
import type { Vault } from "../wallet/vault.ts";

const NO_LIMITS = { perTransactionMicroUsd: null, dailyMicroUsd: null, monthlyMicroUsd: null };
const CLEANING_INTERVAL_MS = 3_600_000;

/** The parts of the service's dependencies that only sign-in brings. */
export type PeopleDeps = Pick<SignInDeps, "site" | "signingKeys" | "upstream" | "openAccount">;

/** @param parts.baseUrl asked once the service listens */
export function createPeopleDeps(parts: {
  readonly config: Config;
  readonly db: Database;
  readonly vault: Vault;
  readonly keks: KeyEncryptionKeys;
  readonly baseUrl: () => string;
}): PeopleDeps {
  const { config, db, vault, keks, baseUrl } = parts;
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = config;
  const freeCreditMicroUsd = config.FREE_CREDIT_USD;
  return {
    site: createSite(baseUrl, config.BASE_URL?.startsWith("https://") ?? false),
    signingKeys: createSigningKeys({ db, ...keks }),
    upstream:
      issuer !== undefined && clientId !== undefined
        ? createUpstreamProvider({
            issuer,
            clientId,
            clientSecret: config.OIDC_CLIENT_SECRET ?? null,
            name: config.OIDC_NAME ?? new URL(issuer).hostname,
            audience: config.OIDC_AUDIENCE ?? null,
          })
        : null,
    openAccount: (person) => openAccount({ db, vault, freeCreditMicroUsd }, { ...person, limits: NO_LIMITS }),
  };
}

/** Sessions as credentials. The sandbox's own account administers the sandbox. */
export function sessionKindOf(config: Config): TokenKind {
  const adminEmails = [...config.ADMIN_EMAILS, ...(config.SANDBOX ? [DEMO_EMAIL] : [])];
  return createSessionKind({ adminEmails, networks: NETWORK_NAMES });
}

export function registerPeopleRoutes(app: FastifyInstance, deps: SignInDeps): void {
  registerUpstreamRoutes(app, deps);
  registerJwksRoute(app, deps.signingKeys);
}

export async function startPeopleJobs(jobs: Jobs, db: Database): Promise<void> {
  await jobs.repeat("delete-old-sign-ins", CLEANING_INTERVAL_MS, async () => {
    await deleteOldAttempts(db);
    await deleteOldSessions(db);
  });
}

/** Closes the connections of sessions that end, on whichever node they end. Runs until pub/sub closes. */
export async function closeEndedSessions(pubsub: PubSub, disconnect: (sessionId: string) => void): Promise<void> {
  for (let isOpen = true; isOpen; ) {
    try {
      for await (const sessionId of pubsub.subscribe(ENDED_SESSIONS)) disconnect(sessionId);
      isOpen = false;
    } catch (error) {
      // What was missed meanwhile is found by the regular check of open connections.
      if (!(error instanceof SubscriptionInterruptedError)) throw error;
    }
  }
}
