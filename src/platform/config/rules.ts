/** Rules across settings: settings that require each other, and settings that are unsafe in production. */
import { findKeyWeakness } from "../crypto/sealing/weak-key.ts";
import type { Config } from "./schema.ts";
import { isThisMachine } from "./this-machine.ts";

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
  const unknownRisks = config.ACKNOWLEDGED_RISKS.filter((name) => !RISK_NAMES.includes(name));
  if (unknownRisks.length > 0) {
    problems.push(`ACKNOWLEDGED_RISKS: ${unknownRisks.join(", ")} is none of ${RISK_NAMES.join(", ")}`);
  }
  if (config.OIDC_AUDIENCE !== undefined && config.OIDC_AUDIENCE === config.OIDC_CLIENT_ID) {
    problems.push("OIDC_AUDIENCE: must differ from OIDC_CLIENT_ID; ID tokens would pass as access tokens");
  }
  return problems;
}

const RPC_SETTINGS = [
  "RPC_URL_BASE",
  "RPC_URL_BASE_SEPOLIA",
  "RPC_URL_SOLANA",
  "RPC_URL_SOLANA_DEVNET",
  "RPC_URL_AVALANCHE",
] as const;

type Risk = readonly [name: keyof Config, isUnsafe: (config: Config) => boolean, remedy: string];

/** Settings that production accepts only if `ACKNOWLEDGED_RISKS` names them. */
const RISKS: readonly Risk[] = [
  [
    "CARD_SECURITY_CODE",
    (config) => config.CARD_SECURITY_CODE === "keep",
    "PCI DSS 3.3.1 forbids storing security codes; omit the setting",
  ],
  [
    "SMTP_URL",
    ({ SMTP_URL }) => isPlain(SMTP_URL, "smtp:") && /[?&](?:requireTLS=false|ignoreTLS=true)\b/i.test(SMTP_URL ?? ""),
    "one-time codes would be sent unencrypted; use smtps or require TLS",
  ],
  ["REDIS_URL", ({ REDIS_URL }) => isPlain(REDIS_URL, "redis:"), "events would be sent unencrypted; use rediss"],
  [
    "FACILITATOR_URLS",
    ({ FACILITATOR_URLS }) => FACILITATOR_URLS.some((value) => isPlain(value, "http:")),
    "spenders of permits could be forged in transit; use https",
  ],
  ["DEX_URL", ({ DEX_URL }) => isPlain(DEX_URL, "http:"), "quotes could be forged in transit; use https"],
  ...RPC_SETTINGS.map(
    (name): Risk => [
      name,
      (config) => isPlain(config[name], "http:"),
      "balances could be forged in transit; use https",
    ],
  ),
];

export const RISK_NAMES: readonly string[] = RISKS.map(([name]) => name);

/** Returns true if the URL has the unencrypted protocol and names another machine. */
function isPlain(url: string | undefined, protocol: string): boolean {
  const parsed = url === undefined ? null : URL.parse(url);
  return parsed?.protocol === protocol && !isThisMachine(parsed.hostname);
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
  for (const [name, isUnsafe, remedy] of RISKS) {
    if (isUnsafe(config) && !config.ACKNOWLEDGED_RISKS.includes(name)) {
      problems.push(`${name}: ${remedy}, or add ${name} to ACKNOWLEDGED_RISKS`);
    }
  }
  if (!isGiven("FREE_CREDIT_USD")) {
    problems.push("FREE_CREDIT_USD: must be set in production; it is real money, and every new account receives it");
  }
  return problems;
}
