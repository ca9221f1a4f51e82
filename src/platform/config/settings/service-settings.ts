/** Settings of the service itself: addresses, access, observability, storage and keys. */
import { z } from "zod";
import { baseUrl, flag, integer, key, keys, list, matching, port, text, url } from "../values.ts";

export const service = {
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
  SECURITY_CONTACTS: list
    .refine(
      (contacts) => contacts.every((contact) => /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\S+)$/.test(contact)),
      "must be mailto:, https: or tel: URIs",
    )
    .describe(
      "where to report vulnerabilities, such as mailto:security@example.com, comma separated; default: no security.txt",
    ),
  SHUTDOWN_TIMEOUT_MS: integer(0, 600_000).default(15_000).describe("maximum wait for in-flight requests at shutdown"),
};

export const accessAndEgress = {
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
  MCP_CALLS_PER_ACCOUNT: integer(5, 1_000)
    .default(16)
    .describe("maximum MCP requests of an account in flight, on each node; streams of changes are not counted"),
  CORS_ORIGINS: list.describe("browser origins allowed to call the API, comma separated"),
  TRUST_PROXY: list.describe("addresses of reverse proxies whose X-Forwarded-For header is trusted, comma separated"),
  UNKNOWN_MEMBERS: z
    .enum(["refuse", "log"])
    .default("refuse")
    .describe(
      "REST parameters and body members that a route does not name: refuse the request, or ignore and log them",
    ),
  EGRESS_ALLOW_LOOPBACK: flag
    .optional()
    .describe("allow outgoing requests to loopback addresses; default 1 in the sandbox, else 0"),
};

export const observability = {
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
  METRICS_TOKEN: list
    .refine((tokens) => tokens.every((token) => token.length >= 16), "must have at least 16 characters")
    .describe(
      "bearer token required by GET /metrics, or several, comma separated, while it is replaced; default: loopback clients only",
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional().describe("OTLP endpoint for OpenTelemetry traces; default: no traces"),
};

export const storage = {
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

export const keyEncryption = {
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
