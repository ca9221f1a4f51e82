/** What a checkout worker is told by its environment. `.env.example` is held against this schema by a test. */
import { networkInterfaces } from "node:os";
import type { z } from "zod";
import { ConfigError, parseEnvironment } from "../platform/config/load.ts";
import { configSchema } from "../platform/config/schema.ts";
import { integer, port, text, url } from "../platform/config/values.ts";

/** What it shares with the service, and what is its own. */
export const workerConfigSchema = configSchema
  .pick({
    NODE_ENV: true,
    DATA_DIR: true,
    WORKER_TOKEN: true,
    CHROMIUM_PATH: true,
    EGRESS_ALLOW_LOOPBACK: true,
    LOG_LEVEL: true,
  })
  .extend({
    SERVICE_URL: url
      .default("http://127.0.0.1:4000")
      .describe("the service a checkout worker works for; https, or on the same machine"),
    WORKER_HOST: text.default("127.0.0.1").describe("address a checkout worker listens on, for the live view"),
    WORKER_PORT: port.default(0).describe("its port; 0 takes a free one"),
    WORKER_URL: url.optional().describe("where the service reaches it; default: where it listens"),
    WORKER_CONCURRENCY: integer(1, 32).default(2).describe("checkouts one worker drives at once"),
    WORKER_STOP_MS: integer(0, 900_000)
      .default(420_000)
      .describe("how long a stopping worker waits for payments it has submitted"),
  });

export type WorkerConfig = z.output<typeof workerConfigSchema>;

/** @throws {ConfigError} naming each variable at fault */
export function loadWorkerConfig(environment: Readonly<Record<string, string | undefined>>): WorkerConfig {
  const config = parseEnvironment(workerConfigSchema, environment);
  const { SERVICE_URL, NODE_ENV, EGRESS_ALLOW_LOOPBACK } = config;
  const problems: string[] = [];
  // Playwright's traces quote what is typed.
  if (/\*|\bpw\b/.test(environment["DEBUG"] ?? "")) problems.push("DEBUG: must trace no browser; it would print cards");
  // Card numbers come from there.
  if (!isPrivateLine(SERVICE_URL))
    problems.push("SERVICE_URL: must be https, or on this machine; cards come from there");
  if (NODE_ENV === "production" && EGRESS_ALLOW_LOOPBACK) {
    problems.push(
      "EGRESS_ALLOW_LOOPBACK: must be 0 in production; shops' pages would reach this machine's own services",
    );
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

function isPrivateLine(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, "");
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address: one }) => one));
  return protocol === "https:" || host === "localhost" || own.includes(host);
}
