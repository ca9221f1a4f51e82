/** Events that concern the security of accounts, as a log stream of their own. `docs/logs.md` lists them. */
import type { Config } from "../config/load.ts";
import { formatLoggedAddress } from "./logged-address.ts";
import type { Logger } from "./logger.ts";

/** Names of events. Alerts match them, so a name never changes its meaning. */
export const SECURITY_EVENTS = {
  "sign_in.code_requested": "a one-time code by email was requested; `rate_limited` is a failure",
  "sign_in.email_code": "sign-in with a one-time code",
  "sign_in.passkey": "sign-in with a passkey",
  "sign_in.upstream": "sign-in through the OpenID provider",
  "sign_up.passkey": "a new account with a passkey",
  sign_out: "sign-out",
  "session.revoked": "an account ended its sessions",
  "passkey.added": "a passkey was added",
  "passkey.removed": "a passkey was removed",
  "email.change_requested": "a code to change the email address was requested",
  "email.changed": "the email address was changed",
  "token.created": "an API token was created",
  "token.card_budget_changed": "the limits of an API token for orders by card were changed",
  "token.revoked": "an API token was revoked",
  "login_token.created": "a login identity token was created",
  "purchase_token.created": "a one-time purchase token was created",
  "purchase_token.revoked": "a one-time purchase token was revoked",
  "account.limits_changed": "the spending limits of the account were changed",
  "account.setting_changed": "X402 or strict scopes were enabled or disabled",
  "consent.decided": "an application's authorization request was approved or denied",
  "consent.limits_changed": "the limits of an application were changed",
  "consent.revoked": "an application was disconnected",
  "oauth.token_issued": "an application exchanged a code or a refresh token",
  "oauth.token_revoked": "an application revoked a token",
  "oauth.refresh_token_reused": "a refresh token was used again, and its family was revoked",
  "oauth_client.registered": "an application was registered",
  "oauth_client.updated": "an application was changed",
  "oauth_client.secret_rotated": "an application received a new secret",
  "webhook.secret_rotated": "a webhook received a new signing secret",
  "card.added": "a card was added",
  "card.removed": "a card was removed",
  "policy.created": "a checkout policy was signed",
  "policy.revoked": "a checkout policy was revoked",
  "purchase.decided": "a purchase approval was granted or denied",
  "account.frozen": "the account's owner stopped everything",
  "account.resumed": "the account's owner ended the freeze",
  "email.recovery_confirmed": "the new address of a recovery was confirmed",
  "administrator.acted": "an administrator or the operator changed something; `operation` names the mutation",
  "signature.rejected": "a request with a wrong signature or token of a mail provider or a checkout worker",
  "egress.refused": "an outgoing request to a private address or a forbidden URL; `host` is the requested one",
} as const satisfies Readonly<Record<string, string>>;

export type SecurityEventName = keyof typeof SECURITY_EVENTS;

export interface SecurityEvent {
  readonly outcome: "success" | "failure";
  /** Error code of a failure. */
  readonly code?: string | undefined;
  readonly accountId?: string | undefined;
  readonly credentialKind?: string | undefined;
  readonly credentialId?: string | undefined;
  /** Joins the event with the request's line in the access log. */
  readonly requestId?: string | undefined;
  /** Logged as ACCESS_LOG_ADDRESS says. */
  readonly ip?: string | null | undefined;
  /** Ids and names. Never secrets, codes or email addresses. */
  readonly details?: Readonly<Record<string, string | undefined>>;
}

export type SecurityLog = (name: SecurityEventName, event: SecurityEvent) => void;

/** Creates the log: `info` for a success, `warn` for a failure. */
export function createSecurityLog(
  { ACCESS_LOG_ADDRESS }: Pick<Config, "ACCESS_LOG_ADDRESS">,
  logger: Logger,
): SecurityLog {
  return (name, { outcome, ip, details, ...fields }) => {
    const address = ip ? formatLoggedAddress(ACCESS_LOG_ADDRESS, ip) : null;
    const line = { stream: "security", event: name, outcome, ...fields, ...(address && { address }), ...details };
    logger[outcome === "success" ? "info" : "warn"](line, "Security event");
  };
}
