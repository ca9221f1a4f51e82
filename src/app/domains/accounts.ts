/** Composition of accounts and sign-in: dependencies, routes and jobs. */
import type { FastifyInstance } from "fastify";
import { completeDueRecoveries } from "../../accounts/administration/complete-recoveries.ts";
import type { AdministrationDeps } from "../../accounts/administration/perform-act.ts";
import type { RecoveryDeps } from "../../accounts/administration/recovery.ts";
import { assertMaySignUp } from "../../accounts/freeze/sign-in-while-frozen.ts";
import { createSessionKind } from "../../accounts/session-kind.ts";
import type { SignInDeps } from "../../accounts/sign-in/deps.ts";
import { createUpstreamProvider, type UpstreamProvider } from "../../accounts/sign-in/upstream-provider.ts";
import { registerUpstreamRoutes } from "../../accounts/sign-in/upstream-routes.ts";
import type { TokenKind } from "../../accounts/token-kind.ts";
import type { Config } from "../../platform/config/load.ts";
import { registerJwksRoute } from "../../platform/http/jwks-route.ts";
import type { SecurityLog } from "../../platform/observability/security-log.ts";
import { type FreeCreditDeps, grantFreeCredit } from "../../wallet/free-credit.ts";
import { NETWORK_NAMES } from "../../wallet/networks.ts";
import { openAccount } from "../../wallet/open-account.ts";
import { DEMO_EMAIL } from "../dev/demo-account.ts";
import type { Platform } from "../platform.ts";
import type { WalletDeps } from "./wallet.ts";

const NO_LIMITS = { perTransactionMicroUsd: null, dailyMicroUsd: null, monthlyMicroUsd: null };
const RECOVERY_INTERVAL_MS = 60_000;
const HOUR_MS = 3_600_000;

export function createAdministrationDeps(config: Config): Pick<AdministrationDeps, "administration"> {
  const { TWO_PERSON_ACTS: twoPersonActs, RECOVERY_WAITING_HOURS: waitingHours } = config;
  return { administration: { twoPersonActs, recoveryWaitingMs: waitingHours * HOUR_MS } };
}

export function createAccountDeps(
  { config, db, sandbox }: Platform,
  { vault }: WalletDeps,
  { freeCreditMicroUsd, admitFreeCredit }: FreeCreditDeps,
): Pick<SignInDeps, "upstream" | "adminEmails" | "openAccount" | "grantCredit" | "sandboxMailUrl"> {
  const credit = { db, freeCreditMicroUsd, admitFreeCredit };
  return {
    upstream: createUpstream(config),
    adminEmails: listAdminEmails(config),
    async openAccount(account) {
      await assertMaySignUp({ db });
      return await openAccount({ ...credit, vault }, { ...account, limits: NO_LIMITS });
    },
    grantCredit: (accountId, ip) => grantFreeCredit(credit, accountId, ip),
    sandboxMailUrl: config.SMTP_URL === undefined ? (sandbox?.mailUrl ?? null) : null,
  };
}

/** A second administrator of the sandbox: the demo account cannot approve its own applications. */
const SANDBOX_ADMINISTRATOR = "administrator@satchel.example";

/** Creates the token kind of sessions. In the sandbox, the demo account and another address are administrators. */
export function createConfiguredSessionKind(config: Config): TokenKind {
  return createSessionKind({ adminEmails: listAdminEmails(config), networks: NETWORK_NAMES });
}

function listAdminEmails(config: Config): readonly string[] {
  return [...config.ADMIN_EMAILS, ...(config.SANDBOX ? [DEMO_EMAIL, SANDBOX_ADMINISTRATOR] : [])];
}

export function registerAccountRoutes(
  app: FastifyInstance,
  deps: SignInDeps & { readonly securityLog: SecurityLog },
): void {
  registerUpstreamRoutes(app, deps);
  registerJwksRoute(app, deps.signingKeys);
}

export async function startAccountJobs({ jobs }: Platform, deps: RecoveryDeps): Promise<void> {
  await jobs.repeat("complete-account-recoveries", RECOVERY_INTERVAL_MS, () => completeDueRecoveries(deps));
}

function createUpstream(config: Config): UpstreamProvider | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = config;
  if (issuer === undefined || clientId === undefined) return null;
  return createUpstreamProvider({
    issuer,
    clientId,
    clientSecret: config.OIDC_CLIENT_SECRET ?? null,
    name: config.OIDC_NAME ?? new URL(issuer).hostname,
    audience: config.OIDC_AUDIENCE ?? null,
  });
}
