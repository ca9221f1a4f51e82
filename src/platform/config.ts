/** The one place where the environment is read. `.env.example` is held against this schema by a test. */
import { z } from "zod";
import { parseUsd } from "./money.ts";

const FLAGS = { "0": false, "1": true, false: false, true: true } as const;

/** Without a default of its own: what it means when absent depends on other settings. */
const flag = z.enum(["0", "1", "true", "false"]).transform((value) => FLAGS[value]);

const usd = (byDefault: string) =>
  z
    .string()
    .default(byDefault)
    .transform((value, context) => {
      try {
        return parseUsd(value, "amount");
      } catch {
        context.addIssue({ code: "custom", message: "must be a decimal number of US dollars such as 5.00" });
        return z.NEVER;
      }
    });

const url = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ""));
const list = z
  .string()
  .default("")
  .transform((value) =>
    value
      .split(",")
      .map((item) => item.trim())
      .filter(Boolean),
  );

const isKey = (value: string) => z.base64().safeParse(value).success && Buffer.from(value, "base64").length === 32;

const schema = z.object({
  NODE_ENV: z
    .enum(["development", "test", "production"])
    .default("development")
    .describe("production refuses unsafe settings"),
  HOST: z.string().default("127.0.0.1").describe("address to listen on"),
  PORT: z.coerce.number().int().min(0).max(65535).default(4000).describe("port to listen on; 0 takes a free one"),
  BASE_URL: url.optional().describe("the public address of this service; default: where it listens"),
  DASHBOARD_URL: url.optional().describe("the address of the dashboard; default: BASE_URL/dashboard"),
  DATA_DIR: z.string().default(".data").describe("folder of the embedded database, the key file and the sandbox"),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must start with postgresql://")
    .optional()
    .describe("PostgreSQL; default: embedded in DATA_DIR"),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(200).default(16).describe("connections to PostgreSQL"),
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, "must start with redis://")
    .optional()
    .describe("shares events and rate limits between nodes"),
  SANDBOX: flag.default(true).describe("start chains, facilitator and shops on this machine; always 0 in production"),
  KEY_ENCRYPTION_KEY: z
    .string()
    .refine(isKey, "must be 32 bytes in base64")
    .optional()
    .describe("seals wallet keys; default: a key file in DATA_DIR"),
  KEY_FILE: z
    .string()
    .optional()
    .describe("file that holds the key-encryption key; default: DATA_DIR/key-encryption.key"),
  AWS_KMS_KEY_ID: z.string().optional().describe("AWS KMS key that seals wallet keys, in place of a local one"),
  OLDER_KEY_ENCRYPTION_KEYS: list
    .refine((keys) => keys.every(isKey), "must be keys of 32 bytes in base64, comma separated")
    .describe("keys that still open what they sealed, comma separated; see npm run rotate-keys"),
  OLDER_KEY_FILES: list.describe("files of such keys, comma separated"),
  OLDER_AWS_KMS_KEY_IDS: list.describe("such keys of AWS KMS, comma separated"),
  RPC_URL_BASE: url.optional().describe("JSON-RPC of Base"),
  RPC_URL_BASE_SEPOLIA: url.optional().describe("JSON-RPC of Base Sepolia"),
  RPC_URL_SOLANA: url.optional().describe("JSON-RPC of Solana"),
  RPC_URL_SOLANA_DEVNET: url.optional().describe("JSON-RPC of Solana Devnet"),
  RPC_URL_AVALANCHE: url.optional().describe("JSON-RPC of Avalanche C-Chain"),
  DEFAULT_NETWORK: z
    .enum(["base", "base-sepolia", "solana", "solana-devnet", "avalanche"])
    .optional()
    .describe(
      "network of GET /api/balance; test money counts where it is a testnet; default base, base-sepolia in the sandbox",
    ),
  UPTO_SPENDERS: list.describe("facilitator signers that may be the spender of an upto permit, comma separated"),
  DEX_URL: url
    .optional()
    .describe("0x Swap API v2 to trade with, such as https://api.0x.org; default: the sandbox's, else none"),
  DEX_API_KEY: z.string().min(1).optional().describe("key of that API"),
  DEX_SPENDERS: list.describe(
    "contracts that may be allowed to take a sold token, comma separated; default: 0x's AllowanceHolder",
  ),
  DEX_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(60_000)
    .default(10_000)
    .describe("how long that API may take to answer"),
  TRADE_WAIT_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(120_000)
    .default(30_000)
    .describe("how long a trade's answer waits for the network"),
  TRADE_STUCK_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(600_000)
    .default(30_000)
    .describe("a trade's transaction that is not mined by then is sent again with higher fees"),
  GATEWAY_PROVIDERS: z
    .string()
    .optional()
    .describe("language model providers, as JSON or a JSON file's path; default: the sandbox's, else none"),
  GATEWAY_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(120_000)
    .default(60_000)
    .describe("how long a language model provider may take to begin its answer"),
  GATEWAY_WALLET_MIN_USD: usd("0.01").describe(
    "least that a call costs which a wallet pays at a provider with a key, since each is a transaction of the treasury",
  ),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, hostname: /./, error: "must start with smtp:// or smtps://" })
    .optional()
    .describe("mail server, smtps://user:password@host; default: the sandbox's, else none"),
  MAIL_FROM: z
    .string()
    .regex(/^(?:[^<>\r\n]*<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/, "must be Name <address>")
    .optional()
    .describe("sender of letters; default: Satchel <no-reply@host of BASE_URL>"),
  AGENT_NETWORK: z
    .enum(["base", "base-sepolia", "avalanche"])
    .optional()
    .describe("network agents are registered on; default base, base-sepolia in the sandbox"),
  AGENT_REGISTRY: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/, "must be an address")
    .optional()
    .describe("ERC-8004 identity registry there; default: the known one of that network"),
  AGENT_REGISTRATIONS_PER_DAY: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000_000)
    .default(1_000)
    .describe("agents the treasury pays to register in 24 hours; the others wait"),
  AGENT_MAIL_DOMAIN: z
    .string()
    .regex(/^(?=.{1,190}$)[a-z0-9-]+(?:\.[a-z0-9-]+)*$/, "must be a domain in lower case")
    .optional()
    .describe("domain of agents' mail addresses; default: agents.<host of BASE_URL>"),
  AGENT_MAILS_PER_DAY: z.coerce
    .number()
    .int()
    .min(0)
    .max(100_000)
    .default(200)
    .describe("letters one agent may send in 24 hours"),
  MAIL_LISTEN_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65535)
    .optional()
    .describe("port that takes agents' incoming mail by SMTP; default a free one in the sandbox, else none"),
  MAIL_LISTEN_HOST: z.string().default("127.0.0.1").describe("address of that port"),
  MAIL_TLS_CERT_FILE: z.string().optional().describe("certificate chain in PEM: offers STARTTLS there"),
  MAIL_TLS_KEY_FILE: z.string().optional().describe("its private key in PEM"),
  MAIL_MAX_MESSAGE_BYTES: z.coerce
    .number()
    .int()
    .min(10_000)
    .max(104_857_600)
    .default(36_700_160)
    .describe("largest message taken"),
  MAIL_PER_SENDER_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(60)
    .describe("messages one sender may send to one mailbox in a minute"),
  MAIL_PER_HOST_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(1_200)
    .describe("messages one host may send to all mailboxes in a minute"),
  MAIL_DNS_SERVERS: list.describe("DNS servers that incoming mail is checked with; default: this machine's"),
  MAIL_INBOUND_SECRET: z
    .string()
    .min(32, "must have at least 32 characters")
    .optional()
    .describe("signs messages that providers post to /api/mail/inbound; none are taken without it"),
  MAIL_DKIM_SELECTOR: z.string().optional().describe("selector of the key agents' mail is signed with (DKIM)"),
  MAIL_DKIM_KEY_FILE: z.string().optional().describe("that private key in PEM"),
  CHECKOUT_POOL: z
    .string()
    .optional()
    .describe(
      "shops that may be searched and bought from, as JSON or a JSON file's path; default: the sandbox's, else none",
    ),
  CATALOG_URL: url.optional().describe("catalogue that searches those shops; default: the sandbox's, else none"),
  CATALOG_API_KEY: z.string().min(1).optional().describe("bearer token of that catalogue"),
  CARD_SECURITY_CODE: z
    .enum(["ask", "keep"])
    .optional()
    .describe(
      "whether cards' security codes are kept, or asked of the person at each order; default keep in the sandbox, else ask",
    ),
  CHECKOUT_WORKERS: z.coerce
    .number()
    .int()
    .min(0)
    .max(32)
    .optional()
    .describe("checkout workers npm start runs on this machine; default 1 in the sandbox, else 0"),
  WORKER_TOKEN: z
    .string()
    .min(32, "must have at least 32 characters")
    .optional()
    .describe("bearer token of checkout workers; default: one kept in DATA_DIR"),
  CHECKOUT_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(5_000)
    .max(900_000)
    .default(180_000)
    .describe("how long a checkout may take before the card is submitted"),
  CHECKOUT_APPROVAL_MS: z.coerce
    .number()
    .int()
    .min(1_000)
    .max(86_400_000)
    .default(900_000)
    .describe("how long a purchase waits for the person's approval"),
  CHROMIUM_PATH: z
    .string()
    .optional()
    .describe("browser of checkout workers; default: an installed Chromium, else the one in the package"),
  FREE_CREDIT_USD: usd("5.00").describe("free credit of a new account in US dollars"),
  EGRESS_ALLOW_LOOPBACK: flag
    .optional()
    .describe("let the proxy reach loopback addresses; default 1 in the sandbox, else 0"),
  ADMIN_TOKEN: z
    .string()
    .min(32, "must have at least 32 characters")
    .optional()
    .describe("bearer token of the operator: may create accounts"),
  ADMIN_EMAILS: list
    .transform((emails) => emails.map((email) => email.toLowerCase()))
    .describe("addresses of people who may review applications, comma separated"),
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("OpenID provider people may sign in with; exactly as it names itself"),
  OIDC_CLIENT_ID: z
    .string()
    .optional()
    .describe("this service's client id there; its redirect URI is BASE_URL/auth/upstream/callback"),
  OIDC_CLIENT_SECRET: z.string().optional().describe("its secret there; none for a public client"),
  OIDC_NAME: z.string().max(60).optional().describe("what people call the provider; default: its host"),
  OIDC_AUDIENCE: z
    .string()
    .optional()
    .describe("audience of the provider's access tokens that make purchase tokens; none are taken without it"),
  METRICS_TOKEN: z
    .string()
    .min(16)
    .optional()
    .describe("bearer token GET /metrics asks for; default: loopback callers only"),
  GRAPHQL_INTROSPECTION: flag
    .optional()
    .describe("answer introspection and suggest field names; default 1 outside production"),
  CORS_ORIGINS: list.describe("browser origins that may call the API, comma separated"),
  TRUST_PROXY: list.describe("addresses of reverse proxies whose X-Forwarded-For counts, comma separated"),
  LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"])
    .default("info")
    .describe("least severe level logged"),
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional().describe("where OpenTelemetry traces go; none without it"),
  SHUTDOWN_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(600_000)
    .default(15_000)
    .describe("how long a stop waits for requests under way"),
  RECONCILE_INTERVAL_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(600_000)
    .default(5_000)
    .describe("how often unsettled payments are looked up on chain"),
});

export type Config = z.output<typeof schema>;

/** The schema, for documentation and for the test that holds `.env.example` against it. */
export const configSchema = schema;

/** The configuration is unusable; `problems` names every variable at fault. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/**
 * Reads the configuration, collecting every problem.
 * @throws {ConfigError} naming each variable at fault, and each setting that is unsafe in production.
 */
export function loadConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  // An empty variable is an absent one: `.env` files list what they do not set.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`));
  }
  const config = parsed.data;
  if (config.NODE_ENV === "production" && given["SANDBOX"] === undefined) config.SANDBOX = false;
  const problems = inconsistent(config);
  if (config.NODE_ENV === "production") {
    problems.push(...unsafeInProduction(config));
    if (given["FREE_CREDIT_USD"] === undefined) {
      problems.push("FREE_CREDIT_USD: say how much; it is real money, and anybody may open accounts");
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

function inconsistent(config: Config): string[] {
  const problems: string[] = [];
  if (!config.OIDC_ISSUER !== !config.OIDC_CLIENT_ID) {
    problems.push(
      `${config.OIDC_ISSUER ? "OIDC_CLIENT_ID" : "OIDC_ISSUER"}: OIDC_ISSUER and OIDC_CLIENT_ID go together`,
    );
  }
  for (const [one, other] of [
    ["MAIL_TLS_CERT_FILE", "MAIL_TLS_KEY_FILE"],
    ["MAIL_DKIM_SELECTOR", "MAIL_DKIM_KEY_FILE"],
  ] as const) {
    if (!config[one] !== !config[other]) problems.push(`${config[one] ? other : one}: ${one} and ${other} go together`);
  }
  if (config.OIDC_AUDIENCE !== undefined && config.OIDC_AUDIENCE === config.OIDC_CLIENT_ID) {
    problems.push("OIDC_AUDIENCE: must not be OIDC_CLIENT_ID; identity tokens would pass for access tokens");
  }
  return problems;
}

function unsafeInProduction(config: Config): string[] {
  const problems: string[] = [];
  if (config.SANDBOX) problems.push("SANDBOX: must be 0 in production; its money and keys are worth nothing");
  if (config.EGRESS_ALLOW_LOOPBACK)
    problems.push("EGRESS_ALLOW_LOOPBACK: must be 0 in production; callers would reach this machine's own services");
  if (!config.KEY_ENCRYPTION_KEY && !config.AWS_KMS_KEY_ID && !config.KEY_FILE) {
    problems.push("KEY_ENCRYPTION_KEY: set it, KEY_FILE or AWS_KMS_KEY_ID; a key beside the data protects nothing");
  }
  if (!config.DATABASE_URL) problems.push("DATABASE_URL: production needs a PostgreSQL server");
  if (!config.BASE_URL?.startsWith("https://"))
    problems.push("BASE_URL: must be set to an https address in production");
  if (config.OIDC_ISSUER?.startsWith("http:")) problems.push("OIDC_ISSUER: must be an https address in production");
  return problems;
}
