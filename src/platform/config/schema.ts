/** All settings with their defaults and descriptions. `npm run codegen` generates `docs/settings.md` and `.env.example`. */
import { z } from "zod";
import { TWO_PERSON_ACTS } from "./two-person-acts.ts";
import {
  baseUrl,
  flag,
  integer,
  key,
  keys,
  list,
  matching,
  nonEmpty,
  origins,
  port,
  secrets,
  text,
  url,
  urls,
  usd,
  usdAmount,
} from "./values.ts";

export type Config = z.output<typeof configSchema>;

const service = {
  NODE_ENV: z
    .enum(["development", "test", "production"])
    .default("development")
    .describe("environment; production rejects unsafe settings"),
  HOST: text.default("127.0.0.1").describe("address to listen on"),
  PORT: port.default(4000).describe("port to listen on; 0 chooses a free one"),
  BASE_URL: baseUrl.optional().describe("public address of this service; default: the address it listens on"),
  DASHBOARD_URL: url.optional().describe("address of the dashboard; default: BASE_URL/dashboard"),
  SANDBOX: flag
    .default(true)
    .describe("run chains, a facilitator and sandbox stores on this machine; always 0 in production"),
  ACKNOWLEDGED_RISKS: list.describe(
    "names of settings whose unsafe value production accepts, such as REDIS_URL for a connection without TLS, comma separated",
  ),
  SHUTDOWN_TIMEOUT_MS: integer(0, 600_000).default(15_000).describe("maximum wait for in-flight requests at shutdown"),
};

const accessAndEgress = {
  GRAPHQL_INTROSPECTION: flag
    .optional()
    .describe("allow introspection queries and suggest field names; default 1 outside production"),
  GRAPHQL_CONNECTIONS_PER_ACCOUNT: integer(1, 10_000)
    .default(50)
    .describe("maximum open GraphQL sockets and event streams of an account, on each node"),
  GRAPHQL_CONNECTIONS_PER_ADDRESS: integer(1, 10_000)
    .default(1_000)
    .describe("maximum open GraphQL sockets and event streams of a client address, on each node"),
  GRAPHQL_UNAUTHENTICATED_PER_ADDRESS: integer(1, 10_000)
    .default(50)
    .describe("maximum of those without a credential of a client address; a socket counts until it authenticates"),
  CORS_ORIGINS: list.describe("browser origins allowed to call the API, comma separated"),
  TRUST_PROXY: list.describe("addresses of reverse proxies whose X-Forwarded-For header is trusted, comma separated"),
  EGRESS_ALLOW_LOOPBACK: flag
    .optional()
    .describe("allow outgoing requests to loopback addresses; default 1 in the sandbox, else 0"),
};

const observability = {
  LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"])
    .default("info")
    .describe("minimum severity to log"),
  ACCESS_LOG: flag
    .prefault("1")
    .describe("log one line for each request and each operation on a WebSocket, at severity info"),
  ACCESS_LOG_ADDRESS: z
    .enum(["full", "truncated", "none"])
    .default("truncated")
    .describe("client address in the access log; truncated: its IPv4 /24 or IPv6 /48"),
  METRICS_TOKEN: z
    .string()
    .min(16)
    .optional()
    .describe("bearer token required by GET /metrics; default: loopback clients only"),
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional().describe("OTLP endpoint for OpenTelemetry traces; default: no traces"),
};

const storage = {
  DATA_DIR: text.default(".data").describe("folder of the embedded database, the key file and the sandbox"),
  DATABASE_URL: matching(/^postgres(ql)?:\/\//, "must start with postgresql://")
    .optional()
    .describe("URL of a PostgreSQL server; default: a database embedded in DATA_DIR"),
  DATABASE_POOL_SIZE: integer(1, 200).default(16).describe("maximum number of connections to PostgreSQL"),
  DATABASE_TIMEOUT_MS: integer(1_000, 600_000)
    .default(30_000)
    .describe("maximum wait for PostgreSQL's response to a statement; then requests receive 503"),
  REDIS_URL: matching(/^rediss?:\/\//, "must start with redis://")
    .optional()
    .describe("URL of a Redis server that shares events and rate limits between nodes"),
};

const keyEncryption = {
  KEY_ENCRYPTION_KEY: key
    .optional()
    .describe("key-encryption key, 32 random bytes in base64, from npm run keys -- create --stdout; default: KEY_FILE"),
  KEY_FILE: text
    .optional()
    .describe(
      "file with the key-encryption key, from npm run keys -- create; default outside production: DATA_DIR/key-encryption.key",
    ),
  AWS_KMS_KEY_ID: text.optional().describe("AWS KMS key to use as key-encryption key instead of a local one"),
  OLDER_KEY_ENCRYPTION_KEYS: keys.describe(
    "previous key-encryption keys, for decryption only, comma separated; see npm run rotate-keys",
  ),
  OLDER_KEY_FILES: list.describe("files with previous key-encryption keys, comma separated"),
  OLDER_AWS_KMS_KEY_IDS: list.describe("previous AWS KMS keys, comma separated"),
};

const accounts = {
  ADMIN_TOKEN: secrets.describe(
    "bearer token of the operator, who may create accounts; several, comma separated, while it is replaced",
  ),
  ADMIN_EMAILS: list
    .transform((emails) => emails.map((email) => email.toLowerCase()))
    .describe("email addresses of administrators, who may review applications, comma separated"),
  TWO_PERSON_ACTS: list
    .pipe(z.array(z.enum(TWO_PERSON_ACTS, { error: `must name acts of ${TWO_PERSON_ACTS.join(", ")}` })))
    .describe(
      `acts that one administrator proposes and another confirms, comma separated: ${TWO_PERSON_ACTS.join(", ")}; default: none`,
    ),
  RECOVERY_WAITING_HOURS: integer(1, 720)
    .default(72)
    .describe("hours in which an account owner can cancel the change of a lost email address by an administrator"),
  FREE_CREDIT_USD: usd("5.00").describe("free credit of a new account with a verified email address in US dollars"),
  FREE_CREDIT_DAILY_USD: usdAmount
    .optional()
    .describe(
      "maximum free credit of all new accounts in a UTC day in US dollars; default 100.00, no limit in the sandbox",
    ),
  FREE_CREDIT_ACCOUNTS_PER_NETWORK: integer(0, 1_000_000)
    .optional()
    .describe(
      "maximum accounts of a network (IPv4 /24, IPv6 /48) that receive free credit in 24 hours; default 20, no limit in the sandbox",
    ),
  FREE_CREDIT_HOSTS: list.describe("hosts that free credit may pay, comma separated; default: any"),
  FREE_CREDIT_PAYEES: list.describe("recipient addresses that free credit may pay, comma separated; default: any"),
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("issuer identifier of an OpenID provider for sign-in, exactly as the provider publishes it"),
  OIDC_CLIENT_ID: text
    .optional()
    .describe("client id at the provider; the redirect URI is BASE_URL/auth/upstream/callback"),
  OIDC_CLIENT_SECRET: text.optional().describe("client secret at the provider; none for a public client"),
  OIDC_NAME: text.max(60).optional().describe("display name of the provider; default: its host"),
  OIDC_AUDIENCE: text
    .optional()
    .describe("audience of the provider's access tokens that may create purchase tokens; default: none are accepted"),
};

const personalData = {
  ACCOUNT_EXPORT_DAYS: integer(1, 90)
    .default(7)
    .describe("days for which a completed export of an account can be downloaded"),
  ACCOUNT_DELETION_DELAY_DAYS: integer(0, 90)
    .default(7)
    .describe("days between the request of an account's deletion and its execution; the owner can cancel it meanwhile"),
};

const chainsAndPayments = {
  RPC_URL_BASE: url.optional().describe("JSON-RPC endpoint of Base"),
  RPC_URL_BASE_SEPOLIA: url.optional().describe("JSON-RPC endpoint of Base Sepolia"),
  RPC_URL_SOLANA: url.optional().describe("JSON-RPC endpoint of Solana"),
  RPC_URL_SOLANA_DEVNET: url.optional().describe("JSON-RPC endpoint of Solana Devnet"),
  RPC_URL_AVALANCHE: url.optional().describe("JSON-RPC endpoint of Avalanche C-Chain"),
  DEFAULT_NETWORK: z
    .enum(["base", "base-sepolia", "solana", "solana-devnet", "avalanche"])
    .optional()
    .describe(
      "network of GET /api/balance, a testnet if test money is to count; default base, base-sepolia in the sandbox",
    ),
  FACILITATOR_URLS: urls.describe(
    "trusted X402 facilitators, comma separated; the signers in their /supported may be spenders of upto permits",
  ),
  UPTO_SPENDERS: list.describe("further facilitator signers allowed as spender of an upto permit, comma separated"),
  REVOCATION_FEE_PER_ACCOUNT_GWEI: integer(0, 1_000_000_000)
    .default(1_000_000)
    .describe(
      "maximum network fees in gwei that the treasury pays each day to revoke an account's upto permits, on each network",
    ),
  REVOCATION_FEE_PER_SELLER_GWEI: integer(0, 1_000_000_000)
    .default(10_000_000)
    .describe("maximum of those fees for the permits of one seller, for its recipient address and for its host"),
  REVOCATION_FEE_TOTAL_GWEI: integer(0, 1_000_000_000)
    .default(50_000_000)
    .describe("maximum of those fees for all accounts together, on each network"),
  TREASURY_LOW_NATIVE: list
    .pipe(
      z.array(
        z
          .string()
          .regex(
            /^(base|base-sepolia|solana|solana-devnet|avalanche)=\d{1,12}(\.\d{1,9})?$/,
            "must be network=amount, such as base=0.01",
          ),
      ),
    )
    .describe(
      "treasury balances of native coins below which funds are low, such as base=0.01,solana=0.2, comma separated; default: 0.005 ETH, 0.1 SOL, 0.1 AVAX",
    ),
  TREASURY_LOW_USD: usd("10.00").describe("USDC balance of the treasury on each network below which funds are low"),
  RECONCILE_INTERVAL_MS: integer(100, 600_000)
    .default(5_000)
    .describe("interval between on-chain checks of unsettled payments"),
  CHAIN_AUDIT: flag
    .default(true)
    .describe("compare the transfers of all wallets on chain with the ledger, continuously"),
  CHAIN_AUDIT_INTERVAL_MS: integer(1_000, 86_400_000).default(60_000).describe("interval between runs of that audit"),
  CHAIN_AUDIT_MAX_REQUESTS: integer(10, 1_000_000)
    .default(300)
    .describe("approximate maximum of its RPC requests on each network in a run; the next run continues"),
  CHAIN_AUDIT_CONFIRMATIONS: integer(0, 100_000)
    .optional()
    .describe("blocks after which it reads an EVM block; default 1 in the sandbox, else finalized blocks"),
  CHAIN_AUDIT_SINCE: z.iso
    .datetime({ offset: true })
    .transform((value) => new Date(value))
    .optional()
    .describe(
      "time from which transfers are audited, such as 2026-11-01T00:00:00Z, read at its first run; default: the oldest wallet's creation",
    ),
};

const trading = {
  DEX_URL: url
    .optional()
    .describe("URL of the 0x Swap API v2, such as https://api.0x.org; default: the sandbox's, else none"),
  DEX_API_KEY: nonEmpty.optional().describe("API key for DEX_URL"),
  DEX_SPENDERS: list.describe(
    "contracts that may receive an allowance for a sold token, comma separated; default: 0x's AllowanceHolder",
  ),
  DEX_TIMEOUT_MS: integer(100, 60_000).default(10_000).describe("timeout of a request to DEX_URL"),
  TRADE_WAIT_MS: integer(0, 120_000)
    .default(30_000)
    .describe("maximum time that a trade's response waits for the network"),
  TRADE_STUCK_MS: integer(100, 600_000)
    .default(30_000)
    .describe("time after which a trade's unmined transaction is sent again with higher fees"),
};

const languageModels = {
  GATEWAY_PROVIDERS: text
    .optional()
    .describe("language model providers, as JSON or the path of a JSON file; default: the sandbox's, else none"),
  GATEWAY_TIMEOUT_MS: integer(100, 120_000)
    .default(60_000)
    .describe("timeout for the start of a language model provider's response"),
  GATEWAY_WALLET_MIN_USD: usd("0.01").describe(
    "minimum cost of a wallet-paid call to a provider with an API key; the treasury pays the fee of each such transaction",
  ),
};

const outgoingMail = {
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, hostname: /./, error: "must start with smtp:// or smtps://" })
    .optional()
    .describe("SMTP server for outgoing mail, smtps://user:password@host; default: the sandbox's, else none"),
  MAIL_FROM: matching(/^(?:[^<>\r\n]*<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/, "must be Name <address>")
    .optional()
    .describe("sender of Satchel's own emails; default: Satchel <no-reply@host of BASE_URL>"),
  MAIL_DKIM_SELECTOR: text.optional().describe("DKIM selector of the key that signs agents' emails"),
  MAIL_DKIM_KEY_FILE: text.optional().describe("file with the private DKIM key in PEM format"),
};

const agents = {
  AGENT_NETWORK: z
    .enum(["base", "base-sepolia", "avalanche"])
    .optional()
    .describe("network that agents are registered on; default base, base-sepolia in the sandbox"),
  AGENT_REGISTRY: matching(/^0x[0-9a-fA-F]{40}$/, "must be an address")
    .optional()
    .describe("address of the ERC-8004 identity registry; default: the known registry of AGENT_NETWORK"),
  AGENT_REGISTRATION: flag
    .optional()
    .describe(
      "register an agent on chain for each account whose owner has not chosen; default 1 in the sandbox, else 0. The registration is public and permanent",
    ),
  AGENT_PUBLISHES_MAILBOX: flag
    .optional()
    .describe("the same default for the mailbox in the agent's public registration file"),
  AGENT_PUBLISHES_WALLET: flag.optional().describe("the same default for the wallet in that file and in the registry"),
  AGENT_REGISTRATIONS_PER_DAY: integer(0, 1_000_000)
    .default(1_000)
    .describe("maximum agent registrations that the treasury pays for in 24 hours; further agents wait"),
  AGENT_MAIL_DOMAIN: matching(/^(?=.{1,190}$)[a-z0-9-]+(?:\.[a-z0-9-]+)*$/, "must be a domain in lower case")
    .optional()
    .describe("domain of agents' email addresses; default: agents.<host of BASE_URL>"),
  AGENT_MAILS_PER_DAY: integer(0, 100_000).default(200).describe("maximum emails that one agent may send in 24 hours"),
};

const incomingMail = {
  MAIL_LISTEN_PORT: port
    .optional()
    .describe("SMTP port for agents' incoming mail; default a free one in the sandbox, else none"),
  MAIL_LISTEN_HOST: text.default("127.0.0.1").describe("address to listen on for incoming mail"),
  MAIL_TLS_CERT_FILE: text
    .optional()
    .describe("file with a certificate chain in PEM format; enables STARTTLS for incoming mail"),
  MAIL_TLS_KEY_FILE: text.optional().describe("file with the certificate's private key in PEM format"),
  MAIL_MAX_MESSAGE_BYTES: integer(10_000, 104_857_600)
    .default(36_700_160)
    .describe("maximum size of an incoming message"),
  MAIL_PER_SENDER_PER_MINUTE: integer(1, 1_000_000)
    .default(60)
    .describe("maximum messages from one sender to one mailbox in a minute"),
  MAIL_PER_HOST_PER_MINUTE: integer(1, 1_000_000)
    .default(1_200)
    .describe("maximum messages from one host to all mailboxes in a minute"),
  MAIL_DNS_SERVERS: list.describe("DNS servers for checks of incoming mail, comma separated; default: the system's"),
  MAIL_INBOUND_SECRET: secrets.describe(
    "comma-separated secrets that sign messages at /api/mail/inbound; default: none are accepted",
  ),
};

const checkoutAtMerchants = {
  CHECKOUT_POOL: text
    .optional()
    .describe(
      "merchants for product search and purchase, as JSON or the path of a JSON file; default: the sandbox's, else none",
    ),
  CATALOG_URL: url.optional().describe("product catalogue of those merchants; default: the sandbox's, else none"),
  CATALOG_API_KEY: nonEmpty.optional().describe("bearer token for CATALOG_URL"),
  CARD_SECURITY_CODE: z
    .enum(["ask", "keep"])
    .optional()
    .describe(
      "storage of cards' security codes: `keep` stores them, `ask` prompts for each order; default `keep` in the sandbox, else `ask`",
    ),
  CHECKOUT_PROCESSORS: origins.describe(
    "further origins of card processors whose frames may receive a card, such as https://pay.example, comma separated",
  ),
  CHECKOUT_ISSUERS: origins.describe(
    "further origins of banks' 3-D Secure pages, such as https://acs.bank.example, comma separated",
  ),
  CHECKOUT_TIMEOUT_MS: integer(5_000, 900_000)
    .default(180_000)
    .describe("timeout of a checkout until the card is submitted"),
  CHECKOUT_APPROVAL_MS: integer(1_000, 86_400_000)
    .default(900_000)
    .describe("timeout for the account owner's approval of a purchase"),
  CHECKOUT_WORKERS: integer(0, 32)
    .optional()
    .describe("checkout workers that npm start runs on this machine; default 1 in the sandbox, else 0"),
  WORKER_TOKEN: secrets.describe(
    "comma-separated bearer tokens of checkout workers, the first is sent; default: a token stored in DATA_DIR",
  ),
  CHROMIUM_PATH: text
    .optional()
    .describe("browser executable of checkout workers; default: an installed Chromium, else the packaged one"),
};

const retention = {
  DECLINED_PAYMENT_DAYS: integer(1, 3_650).default(90).describe("days for which declined payments are retained"),
  LEDGER_URL_DAYS: integer(1, 3_650)
    .default(90)
    .describe("days after which the query is cut from the URLs of payments, declined payments and purchase tokens"),
  MAIL_DRAFT_DAYS: integer(1, 3_650)
    .default(180)
    .describe("days after their last change for which drafts are retained"),
  ORDER_ARTIFACT_DAYS: integer(1, 3_650)
    .default(180)
    .describe("days for which screenshots, HAR archives and pages of orders are retained"),
  ORDER_DATA_DAYS: integer(1, 3_650)
    .default(540)
    .describe(
      "days after an order's end for which its prompt, confirmation and delivery address are retained, for card disputes",
    ),
  REMOVED_CARD_DAYS: integer(0, 3_650)
    .default(0)
    .describe("days for which the name and billing address of a removed card are retained"),
};

/** The worker's own settings; it shares others with the service (`src/worker/config.ts`). */
export const workerSettings = {
  SERVICE_URL: url
    .default("http://127.0.0.1:4000")
    .describe("URL of the service that a checkout worker connects to; https, or on the same machine"),
  WORKER_HOST: text.default("127.0.0.1").describe("address a checkout worker listens on for the live view"),
  WORKER_PORT: port.default(0).describe("port of the live view; 0 picks a free one"),
  WORKER_URL: url.optional().describe("URL at which the service reaches the worker; default: the listening address"),
  WORKER_CONCURRENCY: integer(1, 32).default(2).describe("maximum concurrent checkouts per worker"),
  WORKER_STOP_MS: integer(0, 900_000)
    .default(420_000)
    .describe("how long a stopping worker waits for submitted payments, in milliseconds"),
};

export const configSchema = z.object({
  ...service,
  ...accessAndEgress,
  ...observability,
  ...storage,
  ...keyEncryption,
  ...accounts,
  ...personalData,
  ...chainsAndPayments,
  ...trading,
  ...languageModels,
  ...outgoingMail,
  ...agents,
  ...incomingMail,
  ...checkoutAtMerchants,
  ...retention,
});

/** Sections of the settings by title, in the order of `docs/settings.md`. */
export const SETTING_SECTIONS: Readonly<Record<string, Readonly<Record<string, z.ZodType>>>> = {
  Service: service,
  "Access and egress": accessAndEgress,
  Observability: observability,
  Storage: storage,
  "Key encryption": keyEncryption,
  Accounts: accounts,
  "Export and deletion of accounts": personalData,
  "Chains and payments": chainsAndPayments,
  Trading: trading,
  "Language models": languageModels,
  "Outgoing mail": outgoingMail,
  Agents: agents,
  "Incoming mail": incomingMail,
  "Checkout at merchants": checkoutAtMerchants,
  Retention: retention,
  "Checkout workers": workerSettings,
};
