/** What no setting can say of itself: which belong together, and which are unsafe in production. */
import type { Config } from "./schema.ts";

/** Settings of which both are given, or neither. */
const PAIRS = [
  ["OIDC_ISSUER", "OIDC_CLIENT_ID"],
  ["MAIL_TLS_CERT_FILE", "MAIL_TLS_KEY_FILE"],
  ["MAIL_DKIM_SELECTOR", "MAIL_DKIM_KEY_FILE"],
] as const;

/** Each begins with the name of the setting at fault. */
export function contradictionsIn(config: Config): string[] {
  const problems: string[] = [];
  for (const [one, other] of PAIRS) {
    if (!config[one] !== !config[other]) problems.push(`${config[one] ? other : one}: ${one} and ${other} go together`);
  }
  if (config.OIDC_AUDIENCE !== undefined && config.OIDC_AUDIENCE === config.OIDC_CLIENT_ID) {
    problems.push("OIDC_AUDIENCE: must not be OIDC_CLIENT_ID; identity tokens would pass for access tokens");
  }
  return problems;
}

/**
 * Each begins with the name of the setting at fault.
 * @param isGiven whether a setting was given, and is not its default
 */
export function unsafeInProduction(config: Config, isGiven: (name: keyof Config) => boolean): string[] {
  const problems: string[] = [];
  if (config.SANDBOX) problems.push("SANDBOX: must be 0 in production; its money and keys are worth nothing");
  if (config.EGRESS_ALLOW_LOOPBACK) {
    problems.push("EGRESS_ALLOW_LOOPBACK: must be 0 in production; callers would reach this machine's own services");
  }
  if (!config.KEY_ENCRYPTION_KEY && !config.AWS_KMS_KEY_ID && !config.KEY_FILE) {
    problems.push("KEY_ENCRYPTION_KEY: set it, KEY_FILE or AWS_KMS_KEY_ID; a key beside the data protects nothing");
  }
  if (!config.DATABASE_URL) problems.push("DATABASE_URL: production needs a PostgreSQL server");
  if (!config.BASE_URL?.startsWith("https://")) {
    problems.push("BASE_URL: must be set to an https address in production");
  }
  if (config.OIDC_ISSUER?.startsWith("http:")) problems.push("OIDC_ISSUER: must be an https address in production");
  if (!isGiven("FREE_CREDIT_USD")) {
    problems.push("FREE_CREDIT_USD: say how much; it is real money, and anybody may open accounts");
  }
  return problems;
}
