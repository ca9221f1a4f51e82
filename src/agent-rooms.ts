/** Puts the agents together: what they take. */
import type { AgentDeps } from "./agents/deps.ts";
import { createRegistry } from "./agents/registry.ts";
import type { Config } from "./platform/config.ts";
import type { KeyEncryptionKeys } from "./platform/sealing/wrapped-key.ts";

/** How long a registration's transaction may wait for a block before more is offered for it. */
const STUCK_AFTER_MS = 60_000;

/** The parts of the service's dependencies that only agents bring. */
export function createAgentDeps(config: Config, keks: KeyEncryptionKeys): Pick<AgentDeps, "keks" | "agents"> {
  return { keks, agents: { registry: createRegistry(config), stuckAfterMs: STUCK_AFTER_MS } };
}
