/** Configuration of a checkout worker, read from environment variables. */
import { networkInterfaces } from "node:os";
import type { z } from "zod";
import { ConfigError, parseEnvironment } from "../platform/config/load.ts";
import { configSchema } from "../platform/config/schema.ts";
import { workerSettings } from "../platform/config/settings/checkout-settings.ts";

/** Variables shared with the service, and the worker's own. */
export const workerConfigSchema = configSchema
  .pick({
    NODE_ENV: true,
    DATA_DIR: true,
    WORKER_TOKEN: true,
    CHROMIUM_PATH: true,
    EGRESS_ALLOW_LOOPBACK: true,
    LOG_LEVEL: true,
  })
  .extend(workerSettings);

export type WorkerConfig = z.output<typeof workerConfigSchema>;

/**
 * Parses and checks the configuration.
 * @param userId effective user id of this process; undefined on platforms without user ids
 * @throws {ConfigError} names each invalid variable
 */
export function loadWorkerConfig(
  environment: Readonly<Record<string, string | undefined>>,
  userId = process.geteuid?.(),
): WorkerConfig {
  const config = parseEnvironment(workerConfigSchema, environment);
  const { SERVICE_URL, NODE_ENV, EGRESS_ALLOW_LOOPBACK } = config;
  const problems: string[] = [];
  // Playwright's debug output contains typed values, including card numbers.
  if (/\*|\bpw\b/.test(environment["DEBUG"] ?? ""))
    problems.push("DEBUG: must not enable browser tracing, which would print card numbers");
  // The service sends card numbers over this connection.
  if (!isPrivateConnection(SERVICE_URL))
    problems.push("SERVICE_URL: must use https or point to this machine, because card numbers are sent over it");
  if (NODE_ENV === "production" && EGRESS_ALLOW_LOOPBACK) {
    problems.push(
      "EGRESS_ALLOW_LOOPBACK: must be 0 in production; otherwise merchants' pages could reach services on this machine",
    );
  }
  if (NODE_ENV === "production" && userId === 0) {
    problems.push(
      "NODE_ENV: production must not run checkout workers as root, because Chromium would handle cards without its sandbox. Start the worker as another user",
    );
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

function isPrivateConnection(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, "");
  const ownAddresses = Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.map(({ address: one }) => one),
  );
  return protocol === "https:" || host === "localhost" || ownAddresses.includes(host);
}
