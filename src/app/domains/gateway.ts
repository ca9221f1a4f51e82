/** Composition of the gateway: its providers, and the job that fails orphaned calls. */
import type { GatewayDeps } from "../../gateway/deps.ts";
import { failOrphanedCalls } from "../../gateway/fail-orphaned-calls.ts";
import { createGateway } from "../../gateway/gateway.ts";
import type { Platform } from "../platform.ts";

const CLEANING_INTERVAL_MS = 600_000;

/** @throws {ConfigError} */
export function createGatewayDeps(platform: Platform): Pick<GatewayDeps, "gateway"> {
  const { config, sandbox, db, egress, pubsub, logger, metrics } = platform;
  return { gateway: createGateway(config, sandbox?.llmUrl ?? null, { db, egress, pubsub, logger, metrics }) };
}

export async function startGatewayJobs({ jobs }: Platform, deps: GatewayDeps): Promise<void> {
  await jobs.repeat("end-lost-gateway-calls", CLEANING_INTERVAL_MS, () => failOrphanedCalls(deps));
}
