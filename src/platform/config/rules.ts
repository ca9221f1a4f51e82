/** Rules across settings: settings that require each other, and settings that are unsafe in production. */
import { findKeyWeakness } from "../crypto/sealing/weak-key.ts";
import type { Config } from "./schema.ts";

/** Settings that must be set together. */
const PAIRS = [
  ["OIDC_ISSUER", "OIDC_CLIENT_ID"],
  ["MAIL_TLS_CERT_FILE", "MAIL_TLS_KEY_FILE"],
  ["MAIL_DKIM_SELECTOR", "MAIL_DKIM_KEY_FILE"],
] as const;

/** Sources of the current key-encryption key. */
const KEY_SOURCES = ["KEY_ENCRYPTION_KEY", "KEY_FILE", "AWS_KMS_KEY_ID"] as const;

/** Returns one problem per contradiction, each starting with the name of the setting at fault. */
export function findContradictions(config: Config): string[] {
  const problems: string[] = [];
  for (const [one, other] of PAIRS) {
    if (!config[one] !== !config[other]) problems.push(`${config[one] ? other : one}: set both ${one} and ${other}`);
  }
  const keySources = KEY_SOURCES.filter((name) => config[name]);
  if (keySources.length > 1) {
    problems.push(
      `${keySources.join(", ")}: set exactly one; to change the source, move the former one to the OLDER_ settings`,
    );
  }
  const weakness = config.KEY_ENCRYPTION_KEY && findKeyWeakness(Buffer.from(config.KEY_ENCRYPTION_KEY, "base64"));
  if (weakness) {
    problems.push(
      `KEY_ENCRYPTION_KEY: the key is weak: ${weakness}; create one with \`npm run keys -- create --stdout\`, ` +
        "and move this one to OLDER_KEY_ENCRYPTION_KEYS if it is in use",
    );
  }
  if (config.OIDC_AUDIENCE !== undefined && config.OIDC_AUDIENCE === config.OIDC_CLIENT_ID) {
    problems.push("OIDC_AUDIENCE: must differ from OIDC_CLIENT_ID; ID tokens would pass as access tokens");
  }
  return problems;
}

/**
 * Returns one problem per unsafe setting, each starting with the name of the setting.
 *
 * @param isGiven whether the environment sets the variable; false for a default
 * @param userId effective user id of this process; undefined on platforms without user ids
 */
export function findUnsafeSettings(
  config: Config,
  isGiven: (name: keyof Config) => boolean,
  userId: number | undefined,
): string[] {
  const problems: string[] = [];
  if (userId === 0 && (config.CHECKOUT_WORKERS ?? 0) > 0) {
    problems.push(
      "CHECKOUT_WORKERS: must be 0 as root in production; as root, Chromium runs without its sandbox. Start Satchel as another user",
    );
  }
  if (config.SANDBOX) problems.push("SANDBOX: must be 0 in production; its money and keys have no value");
  if (config.EGRESS_ALLOW_LOOPBACK) {
    problems.push("EGRESS_ALLOW_LOOPBACK: must be 0 in production; callers would reach this machine's own services");
  }
  if (!config.KEY_ENCRYPTION_KEY && !config.AWS_KMS_KEY_ID && !config.KEY_FILE) {
    problems.push("KEY_ENCRYPTION_KEY: set it, KEY_FILE or AWS_KMS_KEY_ID; a key next to the data protects nothing");
  }
  if (!config.DATABASE_URL) problems.push("DATABASE_URL: must name a PostgreSQL server in production");
  if (!config.BASE_URL?.startsWith("https://")) {
    problems.push("BASE_URL: must be set to an https address in production");
  }
  if (config.OIDC_ISSUER?.startsWith("http:")) problems.push("OIDC_ISSUER: must be an https address in production");
  if (!isGiven("FREE_CREDIT_USD")) {
    problems.push("FREE_CREDIT_USD: must be set in production; it is real money, and every new account receives it");
  }
  return problems;
}
