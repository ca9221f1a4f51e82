/** Every setting, with its default and what it is for. `.env.example` is held against this schema by a test. */
import { z } from "zod";
import { flag, integer, key, keys, list, matching, nonEmpty, port, secret, text, url, usd } from "./values.ts";

export type Config = z.output<typeof configSchema>;

export const configSchema = z.object({
  // The service
  NODE_ENV: z
    .enum(["development", "test", "production"])
    .default("development")
    .describe("production refuses unsafe settings"),
  HOST: text.default("127.0.0.1").describe("address to listen on"),
  PORT: port.default(4000).describe("port to listen on; 0 takes a free one"),
  BASE_URL: url.optional().describe("the public address of this service; default: where it listens"),
  DASHBOARD_URL: url.optional().describe("the address of the dashboard; default: BASE_URL/dashboard"),
  SANDBOX: flag.default(true).describe("start chains, facilitator and shops on this machine; always 0 in production"),
  SHUTDOWN_TIMEOUT_MS: integer(0, 600_000).default(15_000).describe("how long a stop waits for requests under way"),

  // Who may call, and what may be called
  GRAPHQL_INTROSPECTION: flag
    .optional()
    .describe("answer introspection and suggest field names; default 1 outside production"),
  CORS_ORIGINS: list.describe("browser origins that may call the API, comma separated"),
  TRUST_PROXY: list.describe("addresses of reverse proxies whose X-Forwarded-For counts, comma separated"),
  EGRESS_ALLOW_LOOPBACK: flag
    .optional()
    .describe("let the proxy reach loopback addresses; default 1 in the sandbox, else 0"),

  // What an operator watches
  LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"])
    .default("info")
    .describe("least severe level logged"),
  METRICS_TOKEN: z
    .string()
    .min(16)
    .optional()
    .describe("bearer token GET /metrics asks for; default: loopback callers only"),
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional().describe("where OpenTelemetry traces go; none without it"),

  // Where data is kept
  DATA_DIR: text.default(".data").describe("folder of the embedded database, the key file and the sandbox"),
  DATABASE_URL: matching(/^postgres(ql)?:\/\//, "must start with postgresql://")
    .optional()
    .describe("PostgreSQL; default: embedded in DATA_DIR"),
  DATABASE_POOL_SIZE: integer(1, 200).default(16).describe("connections to PostgreSQL"),
  REDIS_URL: matching(/^rediss?:\/\//, "must start with redis://")
    .optional()
    .describe("shares events and rate limits between nodes"),

  // Keys that seal what is secret
  KEY_ENCRYPTION_KEY: key.optional().describe("seals wallet keys; default: a key file in DATA_DIR"),
  KEY_FILE: text.optional().describe("file that holds the key-encryption key; default: DATA_DIR/key-encryption.key"),
  AWS_KMS_KEY_ID: text.optional().describe("AWS KMS key that seals wallet keys, in place of a local one"),
  OLDER_KEY_ENCRYPTION_KEYS: keys.describe(
    "keys that still open what they sealed, comma separated; see npm run rotate-keys",
  ),
  OLDER_KEY_FILES: list.describe("files of such keys, comma separated"),
  OLDER_AWS_KMS_KEY_IDS: list.describe("such keys of AWS KMS, comma separated"),

  // People
  ADMIN_TOKEN: secret.optional().describe("bearer token of the operator: may create accounts"),
  ADMIN_EMAILS: list
    .transform((emails) => emails.map((email) => email.toLowerCase()))
    .describe("addresses of people who may review applications, comma separated"),
  FREE_CREDIT_USD: usd("5.00").describe("free credit of a new account in US dollars"),
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("OpenID provider people may sign in with; exactly as it names itself"),
  OIDC_CLIENT_ID: text
    .optional()
    .describe("this service's client id there; its redirect URI is BASE_URL/auth/upstream/callback"),
  OIDC_CLIENT_SECRET: text.optional().describe("its secret there; none for a public client"),
  OIDC_NAME: text.max(60).optional().describe("what people call the provider; default: its host"),
  OIDC_AUDIENCE: text
    .optional()
    .describe("audience of the provider's access tokens that make purchase tokens; none are taken without it"),

  // Chains and payments
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
  RECONCILE_INTERVAL_MS: integer(100, 600_000)
    .default(5_000)
    .describe("how often unsettled payments are looked up on chain"),

  // Trading
  DEX_URL: url
    .optional()
    .describe("0x Swap API v2 to trade with, such as https://api.0x.org; default: the sandbox's, else none"),
  DEX_API_KEY: nonEmpty.optional().describe("key of that API"),
  DEX_SPENDERS: list.describe(
    "contracts that may be allowed to take a sold token, comma separated; default: 0x's AllowanceHolder",
  ),
  DEX_TIMEOUT_MS: integer(100, 60_000).default(10_000).describe("how long that API may take to answer"),
  TRADE_WAIT_MS: integer(0, 120_000).default(30_000).describe("how long a trade's answer waits for the network"),
  TRADE_STUCK_MS: integer(100, 600_000)
    .default(30_000)
    .describe("a trade's transaction that is not mined by then is sent again with higher fees"),

  // Language models
  GATEWAY_PROVIDERS: text
    .optional()
    .describe("language model providers, as JSON or a JSON file's path; default: the sandbox's, else none"),
  GATEWAY_TIMEOUT_MS: integer(100, 120_000)
    .default(60_000)
    .describe("how long a language model provider may take to begin its answer"),
  GATEWAY_WALLET_MIN_USD: usd("0.01").describe(
    "least that a call costs which a wallet pays at a provider with a key, since each is a transaction of the treasury",
  ),

  // Mail that leaves
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, hostname: /./, error: "must start with smtp:// or smtps://" })
    .optional()
    .describe("mail server, smtps://user:password@host; default: the sandbox's, else none"),
  MAIL_FROM: matching(/^(?:[^<>\r\n]*<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/, "must be Name <address>")
    .optional()
    .describe("sender of letters; default: Satchel <no-reply@host of BASE_URL>"),
  MAIL_DKIM_SELECTOR: text.optional().describe("selector of the key agents' mail is signed with (DKIM)"),
  MAIL_DKIM_KEY_FILE: text.optional().describe("that private key in PEM"),

  // Agents
  AGENT_NETWORK: z
    .enum(["base", "base-sepolia", "avalanche"])
    .optional()
    .describe("network agents are registered on; default base, base-sepolia in the sandbox"),
  AGENT_REGISTRY: matching(/^0x[0-9a-fA-F]{40}$/, "must be an address")
    .optional()
    .describe("ERC-8004 identity registry there; default: the known one of that network"),
  AGENT_REGISTRATIONS_PER_DAY: integer(0, 1_000_000)
    .default(1_000)
    .describe("agents the treasury pays to register in 24 hours; the others wait"),
  AGENT_MAIL_DOMAIN: matching(/^(?=.{1,190}$)[a-z0-9-]+(?:\.[a-z0-9-]+)*$/, "must be a domain in lower case")
    .optional()
    .describe("domain of agents' mail addresses; default: agents.<host of BASE_URL>"),
  AGENT_MAILS_PER_DAY: integer(0, 100_000).default(200).describe("letters one agent may send in 24 hours"),

  // Mail that comes in
  MAIL_LISTEN_PORT: port
    .optional()
    .describe("port that takes agents' incoming mail by SMTP; default a free one in the sandbox, else none"),
  MAIL_LISTEN_HOST: text.default("127.0.0.1").describe("address of that port"),
  MAIL_TLS_CERT_FILE: text.optional().describe("certificate chain in PEM: offers STARTTLS there"),
  MAIL_TLS_KEY_FILE: text.optional().describe("its private key in PEM"),
  MAIL_MAX_MESSAGE_BYTES: integer(10_000, 104_857_600).default(36_700_160).describe("largest message taken"),
  MAIL_PER_SENDER_PER_MINUTE: integer(1, 1_000_000)
    .default(60)
    .describe("messages one sender may send to one mailbox in a minute"),
  MAIL_PER_HOST_PER_MINUTE: integer(1, 1_000_000)
    .default(1_200)
    .describe("messages one host may send to all mailboxes in a minute"),
  MAIL_DNS_SERVERS: list.describe("DNS servers that incoming mail is checked with; default: this machine's"),
  MAIL_INBOUND_SECRET: secret
    .optional()
    .describe("signs messages that providers post to /api/mail/inbound; none are taken without it"),

  // Checkout at shops
  CHECKOUT_POOL: text
    .optional()
    .describe(
      "shops that may be searched and bought from, as JSON or a JSON file's path; default: the sandbox's, else none",
    ),
  CATALOG_URL: url.optional().describe("catalogue that searches those shops; default: the sandbox's, else none"),
  CATALOG_API_KEY: nonEmpty.optional().describe("bearer token of that catalogue"),
  CARD_SECURITY_CODE: z
    .enum(["ask", "keep"])
    .optional()
    .describe(
      "whether cards' security codes are kept, or asked of the person at each order; default keep in the sandbox, else ask",
    ),
  CHECKOUT_TIMEOUT_MS: integer(5_000, 900_000)
    .default(180_000)
    .describe("how long a checkout may take before the card is submitted"),
  CHECKOUT_APPROVAL_MS: integer(1_000, 86_400_000)
    .default(900_000)
    .describe("how long a purchase waits for the person's approval"),
  CHECKOUT_WORKERS: integer(0, 32)
    .optional()
    .describe("checkout workers npm start runs on this machine; default 1 in the sandbox, else 0"),
  WORKER_TOKEN: secret.optional().describe("bearer token of checkout workers; default: one kept in DATA_DIR"),
  CHROMIUM_PATH: text
    .optional()
    .describe("browser of checkout workers; default: an installed Chromium, else the one in the package"),
});
